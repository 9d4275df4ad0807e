import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildHost, buildPhone, buildRoomUser } from '../../../../test/factories.ts'
import { expectToast, openPage } from '../../../../test/page.tsx'
import { setup } from '../../../../test/setup.ts'

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

test('a toast says who opened the microphone in Zoom while muted, once for each user at a time', async () => {
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
  const text = (name: string) => `${name} opened the microphone in Zoom while muted. It was closed again.`
  send(anita.id)
  send(ravi.id)
  send(anita.id)
  await waitFor(() => expect(screen.getAllByText(text('anita'))).toHaveLength(1))
  expect(screen.getByText(text('anita')).closest('[role]')?.getAttribute('role')).toBe('status')
  await expectToast(text('ravi'))
  send('nobody that the page knows')
  await expectToast(text('A user'))
})
