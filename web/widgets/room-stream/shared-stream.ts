import { parseRoomEvent, type RoomEvent } from '../../../shared/room-events.ts'
import { isRecord } from '../../lib/is-record.ts'
import { openChannel } from '../../lib/open-channel.ts'

export type StreamListener = { onEvent: (event: RoomEvent) => void; onOpen: (isOpen: boolean) => void }

interface SharedStream extends StreamListener {
  /** Tabs with the same name share one stream. */
  name: string
  /** Opens the stream; returns a function that closes it. */
  open: (listener: StreamListener) => () => void
}

/**
 * Shares one stream among all tabs of a browser, which allows six connections to one site. The tab that holds the Web
 * Lock is the leader: it opens the stream and broadcasts it. When it closes, another tab gets the lock.
 */
export function shareStream({ name, open, onEvent, onOpen }: SharedStream): () => void {
  // Web Locks need a secure context; without one each tab has a stream of its own.
  const channel = 'locks' in navigator ? openChannel(name) : null
  if (!channel) return open({ onEvent, onOpen })

  const ended = new AbortController()
  let isLeader = false
  let isOpen = false
  let hasFollowers = false // a single tab broadcasts nothing

  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isRecord(data)) return
    if (isLeader) {
      hasFollowers = true
      if (data.joined === true) channel.postMessage({ isOpen })
      return
    }
    if (typeof data.isOpen === 'boolean') {
      onOpen(data.isOpen)
      channel.postMessage({ following: true })
    }
    const event = parseBroadcast(data)
    if (event) onEvent(event)
  }
  channel.postMessage({ joined: true })

  const lead = () =>
    new Promise<void>((resolve) => {
      isLeader = true
      const close = open({
        onOpen: (now) => {
          isOpen = now
          channel.postMessage({ isOpen })
          onOpen(now)
        },
        onEvent: (event) => {
          if (hasFollowers) channel.postMessage({ name: event.name, data: JSON.stringify(event.data) })
          onEvent(event)
        },
      })
      ended.signal.addEventListener('abort', () => {
        close()
        channel.close()
        resolve()
      })
    })
  navigator.locks
    .request(name, { signal: ended.signal }, () => (ended.signal.aborted ? undefined : lead()))
    .catch(() => {
      // Closed while it waited for the lock; or refused one, where the browser blocks site data.
      if (!ended.signal.aborted) void lead()
    })

  return () => {
    ended.abort()
    if (isLeader) return
    channel.close()
    onOpen(false)
  }
}

/** Another tab may run another version of the page. */
function parseBroadcast({ name, data }: Record<string, unknown>): RoomEvent | null {
  if (typeof name !== 'string' || typeof data !== 'string') return null
  try {
    return parseRoomEvent(name, data)
  } catch {
    return null
  }
}
