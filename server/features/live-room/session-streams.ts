import type { EventStream } from './event-stream.ts'

/** Open at once: of a console session, whose tabs share one, and of a phone, which may not know yet that one is dead. */
const MOST = { console: 5, phone: 2 }

/** The open streams of each session. One that was told to end counts no more, though its socket closes later. */
export class SessionStreams {
  readonly #bySession = new Map<string, Set<EventStream>>()

  /** Adds one, in the place of `before`; of more than a session may have, the oldest ends. */
  add(sessionId: string, stream: EventStream, before: EventStream | null): void {
    if (before) this.#end(sessionId, before)
    const streams = this.#bySession.get(sessionId) ?? new Set()
    this.#bySession.set(sessionId, streams.add(stream))
    const [oldest] = streams
    if (oldest && streams.size > MOST[stream.userId === null ? 'console' : 'phone']) this.#end(sessionId, oldest)
  }

  remove(sessionId: string, stream: EventStream): void {
    const streams = this.#bySession.get(sessionId)
    streams?.delete(stream)
    if (streams?.size === 0) this.#bySession.delete(sessionId)
  }

  endAll(sessionId: string): void {
    for (const stream of this.#bySession.get(sessionId) ?? []) this.#end(sessionId, stream)
  }

  #end(sessionId: string, stream: EventStream): void {
    this.remove(sessionId, stream)
    stream.end()
  }
}
