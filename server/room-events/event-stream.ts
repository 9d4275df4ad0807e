import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { STREAM_COMMENT_MS } from '../../shared/room-events.ts'
import { chunk } from './event-log.ts'

/** A reader that lets more than this lie unread is cut off; it comes back with its Last-Event-ID. */
const UNSENT_LIMIT = 256 * 1024
const COMMENT = chunk(': still here\n\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Every open stream of this process, and the one timer that keeps them open. */
export class EventStreams {
  readonly #open = new Set<EventStream>()
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => {
      for (const stream of this.#open) stream.send(COMMENT)
    }, STREAM_COMMENT_MS)
    this.#timer.unref()
  }

  get count(): number {
    return this.#open.size
  }

  /** Takes over an answer whose headers are set by the caller. `onClose` runs once, whoever ended it. */
  open(response: ServerResponse, onClose: () => void): EventStream | null {
    response.writeHead(200)
    response.flushHeaders()
    const { socket } = response
    if (!socket) return null
    const stream = new EventStream(response, socket)
    this.#open.add(stream)
    response.once('close', () => {
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
export class EventStream {
  readonly #response: ServerResponse
  readonly #socket: Socket

  constructor(response: ServerResponse, socket: Socket) {
    this.#response = response
    this.#socket = socket
    socket.setNoDelay(true)
  }

  send(frame: Buffer): void {
    if (!this.#socket.writable) return
    this.#socket.write(frame)
    if (this.#socket.writableLength > UNSENT_LIMIT) this.#socket.destroy()
  }

  end(): void {
    if (this.#socket.writable) this.#socket.end(LAST_CHUNK)
    else this.#response.destroy()
  }
}
