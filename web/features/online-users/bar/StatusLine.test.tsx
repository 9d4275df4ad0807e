import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { listedUser } from '../../../../test/factories/listed.ts'
import { createLiveRoomStore } from '../live-room/live-room-store.ts'
import { StatusLine } from './StatusLine.tsx'

afterEach(cleanup)

test.each([
  { room: 'phones wait in a running meeting', audio: 'waiting', isLive: true, isTold: true },
  { room: 'phones wait for a meeting', audio: 'waiting', isLive: false, isTold: false },
  { room: 'phones hear the meeting', audio: 'on', isLive: true, isTold: false },
] as const)('says what to press where it helps: $room, $isTold', ({ audio, isLive, isTold }) => {
  const store = createLiveRoomStore()
  store.setState({ users: [listedUser('amina', { audio })] })
  render(
    <MantineProvider env="test">
      <StatusLine store={store} connection="live" delivery={null} isLive={isLive} undo={null} />
    </MantineProvider>,
  )
  expect(screen.queryAllByText(/^Phones wait for you: press Open in Zoom/)).toHaveLength(isTold ? 1 : 0)
})
