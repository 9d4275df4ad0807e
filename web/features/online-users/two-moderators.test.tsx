import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import {
  buildAssistant,
  call,
  requestStream,
  type SignedIn,
  type TestAssistant,
} from '../../../test/factories/accounts.ts'
import {
  expectOnline,
  expectState,
  host,
  join,
  openOnline,
  server,
  setupOnline,
} from '../../../test/pages/online-page.ts'
import { expectToast, press } from '../../../test/pages/page.tsx'
import { openStream } from '../../../test/servers/stream.ts'

await setupOnline()
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })

let deputy: TestAssistant
beforeEach(async () => {
  deputy = await buildAssistant(server, host, 'moderator', 'Deputy')
})

const streamFor = async (as: SignedIn) => openStream(origin + (await requestStream(server, host, as)).body.sseUrl)
const muteAll = (action: string, as: SignedIn = deputy) =>
  call(server, 'POST', `/host/trigger-bulk-mute/${action}`, { as })

test('names the others who moderate, and nobody to somebody who is alone', async () => {
  await join('amina')
  await streamFor(host)
  await openOnline()
  expect(screen.queryByText('Moderating now')).toBeNull()
  const theirs = await streamFor(deputy)
  const line = (await screen.findByText('Moderating now')).parentElement
  expect(line?.textContent).toBe('Moderating now: Deputy and you')
  theirs.close()
  await waitFor(() => expect(screen.queryByText('Moderating now')).toBeNull())
})

test('says which other person has pressed Mute All, but not oneself', async () => {
  const [amina] = await join('amina')
  const { user } = await openOnline()
  await muteAll('mute')
  await screen.findByText('Mute All was pressed by Deputy')
  await muteAll('unmute')
  await waitFor(() => expect(screen.queryByText('Mute All was pressed by Deputy')).toBeNull())
  await press(user, 'Mute All')
  await screen.findByText('Mute All is on')
  await expectState(amina, 'muted')
  expect(screen.queryByText(/^Mute All was pressed by/)).toBeNull()
})

test('Unmute All does not undo an act that was not seen, and names who was quicker', async () => {
  const [amina] = await join('amina', 'ben')
  const { user, before } = await openOnline()
  await muteAll('mute')
  await screen.findByText('Mute All was pressed by Deputy')
  before('POST', /^\/host\/trigger-bulk-mute\/unmute$/, async () => {
    for (const action of ['unmute', 'mute'])
      await call(server, 'POST', `/host/users/${amina?.id}/${action}`, { as: deputy })
  })
  await press(user, 'Unmute All')
  await expectToast('Deputy has acted in the meantime.')
  await expectOnline({ is_muted: true }, { is_muted: true })
})
