import { backoff } from '../../../shared/backoff.ts'
import { parseRoomEvent, ROOM_EVENT_NAMES, type RoomEvent } from '../../../shared/room-events.ts'

/** Jitter shortens a wait by up to half, so that consoles do not reconnect at the same moment. */
const WAIT_MS = { first: 1_000, longest: 15_000 }
const CLOSED = 2 // EventSource.CLOSED: the browser has given up, as on any status but 200

export type Stream = Pick<EventTarget, 'addEventListener'> & { readonly readyState: number; close: () => void }

interface RoomStream {
  origin: string
  openSession: (signal: AbortSignal) => Promise<string>
  openStream: (url: string) => Stream
  onEvent: (event: RoomEvent) => void
  onOpen: (isOpen: boolean) => void
}

/** Keeps a stream of the room's events open, with reconnect and backoff, until the returned function is called. */
export function openRoomStream({ origin, openSession, openStream, onEvent, onOpen }: RoomStream): () => void {
  const ended = new AbortController()
  let stream: Stream | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  async function open() {
    try {
      const url = new URL(await openSession(ended.signal), origin)
      if (ended.signal.aborted) return
      if (url.origin !== origin) throw new Error('The stream is not on this site')
      listenTo(openStream(url.href))
    } catch {
      if (!ended.signal.aborted) reconnect()
    }
  }

  function reconnect() {
    onOpen(false)
    failures += 1
    retry = setTimeout(open, backoff(failures, WAIT_MS) * (1 - Math.random() / 2))
  }

  function listenTo(opened: Stream) {
    stream = opened
    opened.addEventListener('open', () => {
      failures = 0
      onOpen(true)
    })
    opened.addEventListener('error', () => {
      onOpen(false) // the browser reconnects to the same session itself, with Last-Event-ID
      if (opened.readyState !== CLOSED || ended.signal.aborted) return
      opened.close()
      reconnect()
    })
    for (const name of ROOM_EVENT_NAMES) {
      opened.addEventListener(name, (message) => {
        const event = parseMessage(name, message)
        if (event) onEvent(event)
      })
    }
  }

  void open()
  return () => {
    ended.abort()
    clearTimeout(retry)
    stream?.close()
    onOpen(false)
  }
}

/** Skips an invalid event: the next poll has the same change. */
function parseMessage(name: string, message: Event): RoomEvent | null {
  if (!(message instanceof MessageEvent) || typeof message.data !== 'string') return null
  try {
    return parseRoomEvent(name, message.data)
  } catch {
    return null
  }
}
