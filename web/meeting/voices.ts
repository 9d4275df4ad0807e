/** Zoom names speakers repeatedly but never reports silence; its own display lapses after the same time. */
const LAPSE_MS = 3_000

export interface Voice {
  userId: number
  userName: string
}

/** Tracks current speakers: anyone named within the last 3 s. */
export class Voices {
  readonly #onChange: (speaking: Voice[]) => void
  readonly #speaking = new Map<number, Voice & { lapse: ReturnType<typeof setTimeout> }>()

  constructor(onChange: (speaking: Voice[]) => void) {
    this.#onChange = onChange
  }

  name(voices: readonly Voice[]): void {
    for (const { userId, userName } of voices) {
      clearTimeout(this.#speaking.get(userId)?.lapse)
      this.#speaking.set(userId, { userId, userName, lapse: setTimeout(() => this.end(userId), LAPSE_MS) })
    }
    this.#tell()
  }

  end(userId: number): void {
    clearTimeout(this.#speaking.get(userId)?.lapse)
    if (this.#speaking.delete(userId)) this.#tell()
  }

  endAll(): void {
    for (const userId of [...this.#speaking.keys()]) this.end(userId)
  }

  #tell(): void {
    this.#onChange([...this.#speaking.values()])
  }
}
