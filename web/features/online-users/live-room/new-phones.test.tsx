import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildHost } from '../../../../test/factories/accounts.ts'
import { openPage } from '../../../../test/pages/page.tsx'
import { stubStreams } from '../../../../test/pages/sent-stream.ts'
import { setup } from '../../../../test/servers/setup.ts'

const server = await setup()

test('a hall of new phones makes the list be read at once, and once more when it has settled', async () => {
  const streams = stubStreams()
  const page = openPage(server, '/host/online', { ...(await buildHost(server)), role: 'host' })
  await screen.findByText('Currently Online')
  await waitFor(() => expect(streams.opened).toHaveLength(1))
  const countReads = () => page.calls.filter((made) => made.endsWith('/host/phone-requests')).length
  await waitFor(() => expect(countReads()).toBe(1))
  for (let phone = 0; phone < 10; phone++) streams.send('phone-requests', { room_id: 'r' })
  await waitFor(() => expect(countReads()).toBe(2))
  await waitFor(() => expect(countReads()).toBe(3), { timeout: 10_000 })
})
