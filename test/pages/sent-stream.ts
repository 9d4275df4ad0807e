import { vi } from 'vitest'

/** A room's stream whose events the test sends. */
class SentStream extends EventTarget {
  readonly readyState = 1
  close() {}
}

/** Gives each page that opens a stream one of these. */
export function stubStreams() {
  const opened: SentStream[] = []
  vi.stubGlobal(
    'EventSource',
    class extends SentStream {
      constructor() {
        super()
        opened.push(this)
      }
    },
  )
  return {
    opened,
    send(name: string, data: object) {
      const message = new MessageEvent(name, { data: JSON.stringify(data) })
      for (const stream of opened) stream.dispatchEvent(message)
    },
  }
}
