/** Zoom names speakers repeatedly but never reports silence; its own display lapses after the same time. */
const LAPSE_MS = 3_000

export interface ActiveSpeaker {
  userId: number
  userName: string
}

/** Tracks current speakers: anyone named within the last 3 s. */
export class ActiveSpeakers {
  readonly #onChange: (speaking: ActiveSpeaker[]) => void
  readonly #speaking = new Map<number, ActiveSpeaker & { lapse: ReturnType<typeof setTimeout> }>()

  constructor(onChange: (speaking: ActiveSpeaker[]) => void) {
    this.#onChange = onChange
  }

  refresh(speakers: readonly ActiveSpeaker[]): void {
    for (const { userId, userName } of speakers) {
      clearTimeout(this.#speaking.get(userId)?.lapse)
      this.#speaking.set(userId, { userId, userName, lapse: setTimeout(() => this.end(userId), LAPSE_MS) })
    }
    this.#notify()
  }

  end(userId: number): void {
    clearTimeout(this.#speaking.get(userId)?.lapse)
    if (this.#speaking.delete(userId)) this.#notify()
  }

  endAll(): void {
    for (const userId of [...this.#speaking.keys()]) this.end(userId)
  }

  #notify(): void {
    this.#onChange([...this.#speaking.values()])
  }
}
