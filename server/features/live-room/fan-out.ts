/** Somebody whom frames are written to. What has to wait for its turn waits here, so that each gets all in order. */
export interface Reader {
  waiting: Buffer[] | null
  write(frame: Buffer): void
}

/** So many are written to at a stretch: 6 ms or so, for which a poll may wait. Whole rooms of most hosts. */
const AT_ONCE = 1_000
/** Of a larger room the others follow in slices of this many, between which requests have their turn. */
const SLICE = 250

/**
 * Writes one frame to many, without holding up every poll: to write to ten thousand sockets at a stretch takes a tenth
 * of a second. One for the whole process.
 */
export class FanOut {
  #queue: Reader[] = []
  #next = 0

  /** Whoever still waits for something earlier gets this after it. */
  post(readers: Iterable<Reader>, frame: Buffer): void {
    let written = 0
    for (const reader of readers) {
      if (reader.waiting) reader.waiting.push(frame)
      else if (written++ < AT_ONCE) reader.write(frame)
      else this.#wait(reader, frame)
    }
  }

  #wait(reader: Reader, frame: Buffer): void {
    reader.waiting = [frame]
    if (this.#queue.push(reader) === 1) setImmediate(() => this.#writeSlice())
  }

  #writeSlice(): void {
    const end = Math.min(this.#next + SLICE, this.#queue.length)
    for (; this.#next < end; this.#next++) {
      const reader = this.#queue[this.#next]
      if (reader) flush(reader)
    }
    if (this.#next < this.#queue.length) {
      setImmediate(() => this.#writeSlice())
      return
    }
    this.#queue = []
    this.#next = 0
  }
}

function flush(reader: Reader): void {
  const frames = reader.waiting ?? []
  reader.waiting = null
  reader.write(frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames))
}
