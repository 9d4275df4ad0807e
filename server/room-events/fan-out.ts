/** Somebody whom frames are written to. What has to wait for its turn waits here, so that each gets all in order. */
export interface Reader {
  readonly waiting: Buffer[]
  write(frame: Buffer): void
}

/** So many sockets are written to before requests have their turn again. */
const SLICE = 250

/**
 * Writes one frame to many, a slice per turn of the event loop: to write to ten thousand sockets at a stretch would hold
 * up every poll for a tenth of a second. One for the whole process.
 */
export class FanOut {
  #queue: Reader[] = []
  #next = 0
  #isScheduled = false

  /** A few are written to at once, unless something before it still waits for them. */
  post(readers: Iterable<Reader>, count: number, frame: Buffer): void {
    const isLong = count > SLICE
    for (const reader of readers) {
      if (reader.waiting.length > 0) reader.waiting.push(frame)
      else if (isLong) this.#wait(reader, frame)
      else reader.write(frame)
    }
    if (isLong && !this.#isScheduled) this.#writeSlice()
  }

  #wait(reader: Reader, frame: Buffer): void {
    reader.waiting.push(frame)
    this.#queue.push(reader)
  }

  #writeSlice(): void {
    const end = Math.min(this.#next + SLICE, this.#queue.length)
    for (; this.#next < end; this.#next++) {
      const reader = this.#queue[this.#next]
      if (reader) flush(reader)
    }
    this.#isScheduled = this.#next < this.#queue.length
    if (this.#isScheduled) {
      setImmediate(() => this.#writeSlice())
      return
    }
    this.#queue = []
    this.#next = 0
  }
}

function flush(reader: Reader): void {
  const { waiting } = reader
  const frame = waiting.length === 1 ? waiting.pop() : Buffer.concat(waiting.splice(0))
  if (frame) reader.write(frame)
}
