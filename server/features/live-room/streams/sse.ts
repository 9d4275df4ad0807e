import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FanOut, Subscriber } from './broadcaster.ts'
import { chunk } from './event-log.ts'

/** A reader that leaves more than this unread is cut off; it reconnects with its Last-Event-ID. */
const UNSENT_LIMIT = 256 * 1024
const COMMENT = chunk(': still here\n\n')
/** A reader that does not take the end of its stream within this time is not reading, or has vanished. */
const CLOSE_GRACE_MS = 2_000
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
/** Streams per session. A console's tabs share one; a phone may not know yet that its last one is dead. */
const MAX_STREAMS = { console: 5, phone: 2 }

/** All open streams of this process, and the one timer that keeps them open. */
export class EventStreams {
  readonly #open = new Set<EventStream>()
  readonly #timer: NodeJS.Timeout

  constructor(fanOut: FanOut, commentMs: number) {
    this.#timer = setInterval(() => fanOut.post(this.#open, COMMENT), commentMs)
    this.#timer.unref()
  }

  get count(): number {
    return this.#open.size
  }

  counts(): { console: number; phone: number } {
    const phone = [...this.#open].filter(({ role }) => role === 'phone').length
    return { console: this.#open.size - phone, phone }
  }

  /** Takes over a response whose headers are set. */
  open(response: ServerResponse, reader: Pick<Subscriber, 'userId' | 'role'>, onClose: () => void): EventStream | null {
    const { socket } = response
    if (!socket || socket.destroyed) return null
    response.writeHead(200)
    response.flushHeaders()
    const stream = new EventStream(socket, reader)
    this.#open.add(stream)
    socket.once('close', () => {
      this.#open.delete(stream)
      onClose()
    })
    return stream
  }

  close(): void {
    clearInterval(this.#timer)
    for (const stream of this.#open) stream.end()
  }
}

/** A reader. Frames are already chunked and encoded, so they go straight to the socket. */
export class EventStream implements Subscriber {
  readonly userId: string | null
  readonly role: Subscriber['role']
  queued: Buffer[] | null = null
  readonly #socket: Socket
  #limit = UNSENT_LIMIT
  #isOver = false

  constructor(socket: Socket, { userId, role }: Pick<Subscriber, 'userId' | 'role'>) {
    this.#socket = socket
    this.userId = userId
    this.role = role
    socket.setNoDelay(true)
    socket.once('close', () => {
      this.#isOver = true
    })
  }

  greet(frames: Buffer): void {
    if (frames.length > UNSENT_LIMIT) {
      this.#limit = UNSENT_LIMIT + frames.length
      this.#socket.once('drain', () => {
        this.#limit = UNSENT_LIMIT
      })
    }
    this.write(frames)
  }

  write(frame: Buffer): void {
    if (this.#isOver) return
    this.#socket.write(frame)
    if (this.#socket.writableLength > this.#limit) this.#socket.destroy()
  }

  end(last?: Buffer): void {
    if (last) this.write(last)
    if (this.#isOver) return
    this.#isOver = true
    const cut = () => this.#socket.destroy()
    this.#socket.end(LAST_CHUNK, cut)
    setTimeout(cut, CLOSE_GRACE_MS).unref()
  }
}

/** The open streams of each session. An ended stream no longer counts, although its socket closes later. */
export class SessionStreams {
  readonly #bySession = new Map<string, Set<EventStream>>()

  /** Ends the replaced stream, and the oldest one beyond the limit. */
  add(sessionId: string, stream: EventStream, replaced: EventStream | null): void {
    if (replaced) this.#end(sessionId, replaced)
    const streams = this.#bySession.get(sessionId) ?? new Set()
    this.#bySession.set(sessionId, streams.add(stream))
    const [oldest] = streams
    const limit = MAX_STREAMS[stream.userId === null ? 'console' : 'phone']
    if (oldest && streams.size > limit) this.#end(sessionId, oldest)
  }

  remove(sessionId: string, stream: EventStream): void {
    const streams = this.#bySession.get(sessionId)
    streams?.delete(stream)
    if (streams?.size === 0) this.#bySession.delete(sessionId)
  }

  /** `lastFor` returns the last frame of a user's stream. */
  endAll(sessionId: string, lastFor: (userId: string | null) => Buffer | undefined): void {
    for (const stream of this.#bySession.get(sessionId) ?? []) this.#end(sessionId, stream, lastFor(stream.userId))
  }

  #end(sessionId: string, stream: EventStream, last?: Buffer): void {
    this.remove(sessionId, stream)
    stream.end(last)
  }
}
