import { expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { buildHost } from '../../../test/factories.ts'
import { setup } from '../../../test/setup.ts'

const server = await setup()

const openForHost = async () => {
  const { id: host_id } = await buildHost(server)
  const owner = { role: 'host' as const, master_id: null, host_id, room_user_id: null }
  return server.deps.sessions.open(server.deps.db, owner, '127.0.0.1')
}

test('a session is found while others end all the time', async () => {
  const token = await openForHost()
  const { sessions } = server.deps
  let found: unknown
  let isOver = false
  const endOthers = () => {
    sessions.forget([], 'signed_in_elsewhere')
    if (!isOver) setImmediate(endOthers)
  }
  endOthers()
  const finding = sessions.find(token).then((session) => {
    found = session
  })
  await eventually(() => expect(found).toMatchObject({ role: 'host' })).finally(() => {
    isOver = true
  })
  await finding
})

test('a session that ends while its row is read is not found', async () => {
  const { sessions } = server.deps
  const session = await sessions.find(await openForHost())
  if (!session) throw new Error('The session was not found')
  sessions.forget([session], 'logout') // the row stays open, as for a query that began before the commit
  const finding = sessions.findById(session.id)
  sessions.forget([session], 'logout')
  expect(await finding).toBeNull()
})
