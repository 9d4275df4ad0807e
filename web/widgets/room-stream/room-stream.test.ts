import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomEvent } from '../../../shared/room-events.ts'
import { openRoomStream, type Stream } from './room-stream.ts'

const origin = 'http://host.localhost:3000'

class FakeStream extends EventTarget implements Stream {
  readyState = 0
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
  }
  open() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  receive(name: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }))
  }
  fail({ forGood }: { forGood: boolean }) {
    this.readyState = forGood ? 2 : 0
    this.dispatchEvent(new Event('error'))
  }
  close() {
    this.readyState = 2
  }
}

function listen(answer: () => Promise<string> = async () => '/api/mobile/sse/abc') {
  const streams: FakeStream[] = []
  const events: RoomEvent[] = []
  const openings: boolean[] = []
  const openSession = vi.fn((_signal: AbortSignal) => answer())
  const close = openRoomStream({
    origin,
    openSession,
    openStream: (url) => {
      const stream = new FakeStream(url)
      streams.push(stream)
      return stream
    },
    onEvent: (event) => events.push(event),
    onOpen: (isOpen) => openings.push(isOpen),
  })
  return { streams, events, openings, openSession, close }
}

const latest = ({ streams }: { streams: FakeStream[] }) => {
  const stream = streams.at(-1)
  if (!stream) throw new Error('No stream was opened')
  return stream
}

describe('room stream', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('opens a session, then its stream, and passes on its events', async () => {
    const room = listen()
    await vi.advanceTimersByTimeAsync(0)
    expect(latest(room).url).toBe(`${origin}/api/mobile/sse/abc`)

    latest(room).open()
    latest(room).receive('user-speaking-status', { user_id: 'a', is_speaking: true, speaking_since: null })
    expect(room.openings).toEqual([true])
    expect(room.events).toEqual([
      { name: 'user-speaking-status', data: { user_id: 'a', is_speaking: true, speaking_since: null } },
    ])
  })

  test('leaves out an event that it cannot read', async () => {
    const room = listen()
    await vi.advanceTimersByTimeAsync(0)
    latest(room).receive('user-speaking-status', { user_id: 7 })
    expect(room.events).toEqual([])
  })

  test('lets the browser handle a short interruption', async () => {
    const room = listen()
    await vi.advanceTimersByTimeAsync(0)
    latest(room).open()
    latest(room).fail({ forGood: false })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(room.openSession).toHaveBeenCalledTimes(1)
    expect(room.openings).toEqual([true, false])
  })

  test('opens a new session when the stream fails for good', async () => {
    const room = listen()
    await vi.advanceTimersByTimeAsync(0)
    latest(room).fail({ forGood: true })
    await vi.advanceTimersByTimeAsync(1000)
    expect(room.openSession).toHaveBeenCalledTimes(2)
    expect(room.streams).toHaveLength(2)
  })

  test('retries with growing pauses while no session can be opened', async () => {
    const room = listen(() => Promise.reject(new Error('busy')))
    await vi.advanceTimersByTimeAsync(60_000)
    // Full waits of 1, 2, 4, 8, 15, 15 s give the fewest attempts, halved ones the most.
    expect(room.openSession.mock.calls.length).toBeGreaterThanOrEqual(7)
    expect(room.openSession.mock.calls.length).toBeLessThanOrEqual(12)
  })

  test.each(['https://elsewhere.example/sse', '//elsewhere.example/sse', 'http://host.localhost:3001/sse'])(
    'never opens a stream on another site: %s',
    async (sseUrl) => {
      const room = listen(async () => sseUrl)
      await vi.advanceTimersByTimeAsync(5000)
      expect(room.streams).toEqual([])
      room.close()
    },
  )

  test('releases everything when it is closed', async () => {
    const room = listen()
    await vi.advanceTimersByTimeAsync(0)
    room.close()
    expect(latest(room).readyState).toBe(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('cancels a running session call', async () => {
    const room = listen(() => new Promise(() => {}))
    room.close()
    expect(room.openSession.mock.calls[0]?.[0].aborted).toBe(true)
  })

  test('opens no stream for a session that arrives after closing', async () => {
    const room = listen()
    room.close()
    await vi.advanceTimersByTimeAsync(0)
    expect(room.streams).toEqual([])
  })

  test('does not reconnect after closing', async () => {
    const room = listen()
    await vi.advanceTimersByTimeAsync(0)
    latest(room).fail({ forGood: true })
    room.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(room.openSession).toHaveBeenCalledTimes(1)
  })
})
