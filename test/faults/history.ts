/** A write of one register, such as whether a user is muted. */
interface Write {
  value: boolean
  began: number
  /** Infinity: its caller never learnt whether it was done. */
  acknowledged: number
}

/** What was written to one register, in real time. */
export class History {
  readonly #writes: Write[]
  #clock = 0

  constructor(initial: boolean) {
    this.#writes = [{ value: initial, began: 0, acknowledged: 0 }]
  }

  /** Returns what its caller calls at the acknowledgement. */
  begin(value: boolean): () => void {
    const write: Write = { value, began: ++this.#clock, acknowledged: Number.POSITIVE_INFINITY }
    this.#writes.push(write)
    return () => {
      write.acknowledged = ++this.#clock
    }
  }

  /** Whether some order of the writes that respects real time ends with this value: if not, an acknowledged one is lost. */
  mayEndWith(value: boolean): boolean {
    return this.#writes.some((write) => write.value === value && !this.#isFollowed(write))
  }

  /** An acknowledged write of the other value began after this one was done. */
  #isFollowed({ value, acknowledged }: Write): boolean {
    return this.#writes.some(
      (later) => later.value !== value && later.began > acknowledged && later.acknowledged < Number.POSITIVE_INFINITY,
    )
  }
}
