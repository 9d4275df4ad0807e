import type { Said } from './room-change.ts'

const SECOND_MS = 1_000
/** Of one phone; nobody could follow more. */
const CHANGES_A_SECOND = 20

/** What a phone says of itself in a status call. */
export type Reported = Said & { awake?: boolean | undefined }

/** Of what a phone changes too fast, the rest of a second is merged and given out at its end: the last that it said. */
export class StatusThrottle {
  readonly #giveOut: (id: string, rest: Reported) => void
  /** Phones that have changed something in this second: how often, and what more is to be heard of them at its end. */
  readonly #changed = new Map<string, { count: number; rest: Reported | null }>()
  #timer: NodeJS.Timeout | null = null

  constructor(giveOut: (id: string, rest: Reported) => void) {
    this.#giveOut = giveOut
  }

  /** Something of this phone is still to be given out, so that whatever it says now comes after that. */
  isHolding(id: string): boolean {
    return Boolean(this.#changed.get(id)?.rest)
  }

  /** Whether this may be heard at once; otherwise it is held. */
  admits(id: string, said: Reported): boolean {
    this.#timer ??= setTimeout(() => this.#endSecond(), SECOND_MS)
    const changed = this.#changed.get(id) ?? { count: 0, rest: null }
    this.#changed.set(id, changed)
    if (changed.count++ < CHANGES_A_SECOND) return true
    changed.rest = { ...changed.rest, awake: true, ...said }
    return false
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  #endSecond(): void {
    this.#timer = null
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const [id, { rest }] of changed) if (rest) this.#giveOut(id, rest)
  }
}
