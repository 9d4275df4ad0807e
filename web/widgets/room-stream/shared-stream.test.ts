import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RoomEvent } from '../../../shared/room-events.ts'
import { eventually } from '../../../test/eventually.ts'
import { type StreamListener, shareStream } from './shared-stream.ts'

const speaking: RoomEvent = {
  name: 'user-speaking-status',
  data: { user_id: 'a', is_speaking: true, speaking_since: null },
}
let room = 0
const tabs: (() => void)[] = []

/** A tab of the browser; `open` stands for its connection to the server. */
function aTab(name: string) {
  const events: RoomEvent[] = []
  const openings: boolean[] = []
  const stop = vi.fn()
  const open = vi.fn((_listener: StreamListener) => stop)
  const close = shareStream({
    name,
    open,
    onEvent: (event) => events.push(event),
    onOpen: (isOpen) => openings.push(isOpen),
  })
  tabs.push(close)
  const listener = () => eventually(() => open.mock.calls[0]?.[0] ?? Promise.reject(new Error('Not open yet')))
  return { events, openings, open, stop, close, listener }
}

afterEach(() => {
  vi.unstubAllGlobals()
  for (const close of tabs.splice(0)) close()
})

describe('the tabs of one room', () => {
  test('share one stream', async () => {
    const name = `room-${++room}`
    const [first, second] = [aTab(name), aTab(name)]
    const { onOpen, onEvent } = await first.listener()
    onOpen(true)
    await eventually(() => expect(second.openings.at(-1)).toBe(true))
    onEvent(speaking)
    await eventually(() => expect(second.events).toEqual([speaking]))
    expect(first.events).toEqual([speaking])
    expect(second.openings.at(-1)).toBe(true)
    expect(second.open).not.toHaveBeenCalled()

    const late = aTab(name)
    await eventually(() => expect(late.openings).toEqual([true]))
  })

  test('continue when the leader is closed', async () => {
    const name = `room-${++room}`
    const [first, second] = [aTab(name), aTab(name)]
    const third = aTab(name)
    await first.listener()
    first.close()
    expect(first.stop).toHaveBeenCalledOnce()
    const { onOpen, onEvent } = await second.listener()
    onOpen(true)
    await eventually(() => expect(third.openings.at(-1)).toBe(true))
    await eventually(() => {
      onEvent(speaking)
      expect(third.events).toContainEqual(speaking)
    })
    expect(second.events).toContainEqual(speaking)
  })

  test('never open a stream if closed before they get the lock', async () => {
    const name = `room-${++room}`
    const [first, second, third] = [aTab(name), aTab(name), aTab(name)]
    await first.listener()
    second.close()
    first.close()
    await third.listener()
    expect(second.open).not.toHaveBeenCalled()
    expect(second.openings.at(-1)).toBe(false)
  })
})

test('tabs of different rooms do not share a stream', async () => {
  const [mine, other] = [aTab(`room-${++room}`), aTab(`room-${++room}`)]
  const { onEvent } = await mine.listener()
  await other.listener()
  onEvent(speaking)
  expect(mine.events).toEqual([speaking])
  expect(other.events).toEqual([])
})

test('invalid messages of another version of the page are ignored', async () => {
  const name = `room-${++room}`
  const [first, second] = [aTab(name), aTab(name)]
  await first.listener()
  const stranger = new BroadcastChannel(name)
  for (const strange of ['hello', { name: 'user-online', data: '{' }, { name: 'unheard-of', data: '{}' }])
    stranger.postMessage(strange)
  stranger.postMessage({ name: speaking.name, data: JSON.stringify(speaking.data) })
  await eventually(() => expect(second.events).toEqual([speaking]))
  stranger.close()
})

const deny = () => {
  throw new DOMException('The operation is insecure', 'SecurityError')
}
test.each([
  [
    'no channels',
    () =>
      vi.stubGlobal(
        'BroadcastChannel',
        class {
          constructor() {
            deny()
          }
        },
      ),
  ],
  ['no locks', () => vi.stubGlobal('navigator', { locks: { request: async () => deny() } })],
])('tabs have a stream each where the browser blocks site data: %s', async (_what, block) => {
  block()
  const name = `room-${++room}`
  const both = [aTab(name), aTab(name)]
  for (const tab of both) {
    const { onOpen, onEvent } = await tab.listener()
    onOpen(true)
    onEvent(speaking)
    expect([tab.openings, tab.events]).toEqual([[true], [speaking]])
    tab.close()
    expect(tab.stop).toHaveBeenCalledOnce()
  }
})
