import { parseRoomEvent, ROOM_EVENT_NAMES, type RoomEvent } from '../../../../shared/room-events.ts'

/** Waits between two attempts at a new session; each is shortened by up to half, so that consoles do not march in step. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000]
const CLOSED = 2 // EventSource.CLOSED: the browser has given up, as on any status but 200

/** The part of an EventSource that is used. */
export type Stream = Pick<EventTarget, 'addEventListener'> & { readonly readyState: number; close: () => void }

interface RoomStream {
  origin: string
  openSession: (signal: AbortSignal) => Promise<string>
  openStream: (url: string) => Stream
  onEvent: (event: RoomEvent) => void
  /** Whether events can be heard at this moment. */
  onOpen: (isOpen: boolean) => void
}

/** Listens to a room until the returned function is called; while it is broken, it is opened anew, ever less often. */
export function listenToRoom({ origin, openSession, openStream, onEvent, onOpen }: RoomStream): () => void {
  const ended = new AbortController()
  let stream: Stream | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  async function open() {
    try {
      const url = new URL(await openSession(ended.signal), origin)
      if (ended.signal.aborted) return
      if (url.origin !== origin) throw new Error('The stream is not on this site')
      listen(openStream(url.href))
    } catch {
      if (!ended.signal.aborted) openLater()
    }
  }

  function openLater() {
    onOpen(false)
    const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0
    failures += 1
    retry = setTimeout(open, wait * (1 - Math.random() / 2))
  }

  function listen(opened: Stream) {
    stream = opened
    opened.addEventListener('open', () => {
      failures = 0
      onOpen(true)
    })
    opened.addEventListener('error', () => {
      onOpen(false) // the browser tries the same session again by itself, with Last-Event-ID
      if (opened.readyState !== CLOSED || ended.signal.aborted) return
      opened.close()
      openLater()
    })
    for (const name of ROOM_EVENT_NAMES) {
      opened.addEventListener(name, (message) => {
        const event = read(name, message)
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

/** An event that cannot be read is left out: the next poll tells the same. */
function read(name: string, message: Event): RoomEvent | null {
  if (!(message instanceof MessageEvent) || typeof message.data !== 'string') return null
  try {
    return parseRoomEvent(name, message.data)
  } catch {
    return null
  }
}
