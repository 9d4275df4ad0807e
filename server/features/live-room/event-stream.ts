import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { NewListener } from './announcer.ts'
import { chunk } from './event-log.ts'
import type { FanOut } from './fan-out.ts'

/** A reader that lets more than this lie unread is cut off; it comes back with its Last-Event-ID. */
const UNSENT_LIMIT = 256 * 1024
const COMMENT = chunk(': still here\n\n')
/** A reader that does not take the end of its stream in this time does not read, or has vanished. */
const LAST_WORDS_MS = 2_000
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Every open stream of this process, and the one timer that keeps them open. */
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

  /**
   * Takes over an answer whose headers are set by the caller, for a phone or, where `userId` is null, a console.
   * `onClose` runs once, whoever ended it.
   */
  open(response: ServerResponse, userId: string | null, onClose: () => void): EventStream | null {
    const { socket } = response
    if (!socket || socket.destroyed) return null // it has gone meanwhile
    response.writeHead(200)
    response.flushHeaders()
    const stream = new EventStream(socket, userId)
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

/** One reader. Frames are written straight to its socket, already cut into chunks, encoded once for all readers. */
export class EventStream implements NewListener {
  readonly userId: string | null
  waiting: Buffer[] | null = null
  readonly #socket: Socket
  #limit = UNSENT_LIMIT
  #isOver = false

  constructor(socket: Socket, userId: string | null) {
    this.#socket = socket
    this.userId = userId
    socket.setNoDelay(true)
    socket.once('close', () => {
      this.#isOver = true
    })
  }

  /** The state of a large room is more than may lie unread later. */
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

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    const cut = () => this.#socket.destroy()
    this.#socket.end(LAST_CHUNK, cut)
    setTimeout(cut, LAST_WORDS_MS).unref()
  }
}
