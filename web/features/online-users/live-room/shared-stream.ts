import { parseRoomEvent, type RoomEvent } from '../../../../shared/room-events.ts'
import { isRecord } from '../../../lib/is-record.ts'

export type StreamListener = { onEvent: (event: RoomEvent) => void; onOpen: (isOpen: boolean) => void }

interface SharedStream extends StreamListener {
  /** The same in every tab that is to share one stream, and in no other. */
  name: string
  /** Opens the stream itself; returns what closes it. */
  listen: (listener: StreamListener) => () => void
}

/**
 * Hears a room by one stream for all tabs of this browser, since it allows six connections to one site and each stream
 * takes one for good. The tab that has the lock listens and tells the others; when it goes, another one takes over.
 */
export function shareStream({ name, listen, onEvent, onOpen }: SharedStream): () => void {
  // Without a secure context there are no locks. Then each tab has its own, as ever.
  if (!('locks' in navigator)) return listen({ onEvent, onOpen })

  const ended = new AbortController()
  const channel = new BroadcastChannel(name)
  let isListening = false
  let isOpen = false
  let hasOthers = false // with a tab by itself nothing is sent for nobody

  const tellOpen = (now: boolean) => {
    isOpen = now
    channel.postMessage({ isOpen })
    onOpen(now)
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isRecord(data)) return
    if (isListening) {
      hasOthers = true
      if (data.asks === true) channel.postMessage({ isOpen })
      return
    }
    if (typeof data.isOpen === 'boolean') {
      onOpen(data.isOpen)
      channel.postMessage({ hears: true })
    }
    const event = readEvent(data)
    if (event) onEvent(event)
  }
  channel.postMessage({ asks: true })

  const listenUntilEnded = () =>
    new Promise<void>((resolve) => {
      isListening = true
      const stop = listen({
        onOpen: tellOpen,
        onEvent: (event) => {
          if (hasOthers) channel.postMessage({ name: event.name, data: JSON.stringify(event.data) })
          onEvent(event)
        },
      })
      ended.signal.addEventListener('abort', () => {
        stop()
        channel.close()
        resolve()
      })
    })
  navigator.locks
    .request(name, { signal: ended.signal }, () => (ended.signal.aborted ? undefined : listenUntilEnded()))
    .catch(() => {}) // ended before its turn came

  return () => {
    ended.abort()
    if (isListening) return
    channel.close()
    onOpen(false)
  }
}

/** Another tab may run another version of the page. */
function readEvent({ name, data }: Record<string, unknown>): RoomEvent | null {
  if (typeof name !== 'string' || typeof data !== 'string') return null
  try {
    return parseRoomEvent(name, data)
  } catch {
    return null
  }
}
