import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildHost, buildPhone, buildRoomUser } from '../../../../test/factories/accounts.ts'
import { expectToast, openPage } from '../../../../test/pages/page.tsx'
import { setup } from '../../../../test/servers/setup.ts'

const server = await setup()

/** A stream whose events the test sends. */
class SentStream extends EventTarget {
  static opened: SentStream[] = []
  readonly readyState = 1
  constructor() {
    super()
    SentStream.opened.push(this)
  }
  close() {}
}

const send = (user_id: string) => {
  const message = new MessageEvent('user-muted-again', { data: JSON.stringify({ user_id }) })
  for (const stream of SentStream.opened) stream.dispatchEvent(message)
}

test('one toast says who opened the microphone in Zoom while muted', async () => {
  vi.stubGlobal('EventSource', SentStream)
  const host = await buildHost(server)
  const [anita, ravi] = [
    await buildRoomUser(server, host, { username: 'anita' }),
    await buildRoomUser(server, host, { username: 'ravi' }),
  ]
  for (const user of [anita, ravi]) await buildPhone(server, host, user)
  openPage(server, '/host/online', { ...host, role: 'host' })
  await screen.findByText('Currently Online')
  await waitFor(() => expect(SentStream.opened).toHaveLength(1))
  send(anita.id)
  await expectToast('anita opened the microphone in Zoom while muted. It was closed again.')
  send(ravi.id)
  send(anita.id)
  const both = await screen.findByText(
    'anita and ravi opened the microphone in Zoom while muted. All were closed again.',
  )
  expect(both.closest('[role]')?.getAttribute('role')).toBe('status')
  await waitFor(() => expect(screen.getAllByText(/opened the microphone/)).toHaveLength(1))
  send('nobody that the page knows')
  await expectToast('anita and 2 others opened the microphone in Zoom while muted. All were closed again.')
})
