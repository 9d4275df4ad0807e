import { MantineProvider } from '@mantine/core'
import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveRoomStore, type LiveRoomStore } from '../live-room/live-room-store.ts'
import { MuteAllBadge } from './MuteAllBadge.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function renderBadge() {
  const store = createLiveRoomStore()
  const { container } = render(
    <MantineProvider env="test">
      <MuteAllBadge store={store} />
    </MantineProvider>,
  )
  return {
    after: (ms: number, change: (store: LiveRoomStore) => void) => {
      act(() => change(store))
      act(() => void vi.advanceTimersByTime(ms))
      return container.querySelector('.mantine-Badge-label')?.textContent
    },
  }
}

test('a quick answer changes the words once', () => {
  const { after } = renderBadge()
  expect(after(999, (store) => store.setOptimisticFlag(true))).toBe('Mute All is off')
  expect(after(0, (store) => store.confirmFlag())).toBe('Mute All is on')
  expect(after(999, (store) => store.setOptimisticFlag(false))).toBe('Mute All is on')
  expect(after(0, (store) => store.confirmFlag())).toBe('Mute All is off')
})

test('an answer that is late is waited for, and nothing is claimed before it', () => {
  const { after } = renderBadge()
  expect(after(1000, (store) => store.setOptimisticFlag(true))).toBe('Turning Mute All on…')
  expect(after(0, (store) => store.rollbackFlag())).toBe('Mute All is off')
  expect(after(999, (store) => store.setOptimisticFlag(true))).toBe('Mute All is off')
  expect(after(1, () => {})).toBe('Turning Mute All on…')
  expect(after(0, (store) => store.confirmFlag())).toBe('Mute All is on')
  expect(after(1000, (store) => store.setOptimisticFlag(false))).toBe('Turning Mute All off…')
})
