/** The ids of all events that a console received, across its streams. */
export class ConsoleRecord {
  readonly faults: string[] = []
  #greeting = ''
  #last = ''

  /** Null before the first event. */
  get lastId(): string | null {
    return this.#last || null
  }

  /** Records the ids of a whole stream. */
  follow([greeting, ...ids]: string[]): void {
    if (greeting !== undefined) this.open(greeting)
    for (const id of ids) this.receive(id)
  }

  /** `id` is the stream's first event: the missed events follow it, or the state under the same id. */
  open(id: string): void {
    const [before, now] = [split(this.#last), split(id)]
    if (before.epoch === now.epoch && now.seq < before.seq)
      this.faults.push(`a stream begins with ${id} after ${this.#last}`)
    this.#greeting = id
    this.#last = id
  }

  receive(id: string): void {
    if (id === '') return // a notice, which has no position among the events
    if (id === this.#greeting && this.#last === id) return
    const [before, now] = [split(this.#last), split(id)]
    if (now.epoch !== before.epoch || now.seq !== before.seq + 1) this.faults.push(`${id} follows ${this.#last}`)
    this.#last = id
  }
}

function split(id: string): { epoch: string; seq: number } {
  const [epoch = '', seq] = id.split('-')
  return { epoch, seq: Number(seq) }
}
