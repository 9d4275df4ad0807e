import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildHost, buildPhone, buildRoomUser } from '../../../../test/factories/accounts.ts'
import { expectToast, openPage } from '../../../../test/pages/page.tsx'
import { stubStreams } from '../../../../test/pages/sent-stream.ts'
import { setup } from '../../../../test/servers/setup.ts'

const server = await setup()

test('one toast says who opened the microphone in Zoom while muted', async () => {
  const streams = stubStreams()
  const send = (user_id: string) => streams.send('user-muted-again', { user_id })
  const host = await buildHost(server)
  const [anita, ravi] = [
    await buildRoomUser(server, host, { username: 'anita' }),
    await buildRoomUser(server, host, { username: 'ravi' }),
  ]
  for (const user of [anita, ravi]) await buildPhone(server, host, user)
  openPage(server, '/host/online', { ...host, role: 'host' })
  await screen.findByText('Currently Online')
  await waitFor(() => expect(streams.opened).toHaveLength(1))
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
