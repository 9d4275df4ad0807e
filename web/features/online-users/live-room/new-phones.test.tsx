import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildHost } from '../../../../test/factories/accounts.ts'
import { openPage } from '../../../../test/pages/page.tsx'
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

test('a hall of new phones makes the list be read at once, and once more when it has settled', async () => {
  vi.stubGlobal('EventSource', SentStream)
  const page = openPage(server, '/host/online', { ...(await buildHost(server)), role: 'host' })
  await screen.findByText('Currently Online')
  await waitFor(() => expect(SentStream.opened).toHaveLength(1))
  const countReads = () => page.calls.filter((made) => made.endsWith('/host/phone-requests')).length
  await waitFor(() => expect(countReads()).toBe(1))
  for (let phone = 0; phone < 10; phone++)
    SentStream.opened[0]?.dispatchEvent(new MessageEvent('phone-requests', { data: JSON.stringify({ room_id: 'r' }) }))
  await waitFor(() => expect(countReads()).toBe(2))
  await waitFor(() => expect(countReads()).toBe(3), { timeout: 10_000 })
})
