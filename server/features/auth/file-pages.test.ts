import { expect, test } from 'vitest'
import { buildHost, openSession } from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { filePagesOf } from './file-pages.ts'

const server = await setup()
const { sessions } = server.deps

test('no further page of a file is read after its session has ended', async () => {
  const host = await buildHost(server)
  const session = await sessions.find(host.token)
  const other = await sessions.find(await openSession(server, host.id))
  const read = filePagesOf(server.deps, { session } as never)
  expect(await read(async () => 'first')).toBe('first')
  await sessions.end({ session_id: session?.id ?? '' }, 'signed_out')
  let isRead = false
  const next = read(async () => {
    isRead = true
  })
  await expect(next).rejects.toMatchObject({ code: 'not_signed_in' })
  expect(isRead).toBe(false)
  expect(await filePagesOf(server.deps, { session: other } as never)(async () => 'own')).toBe('own')
})
