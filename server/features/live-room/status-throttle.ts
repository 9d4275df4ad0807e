import type { StatusReport } from './participant.ts'

const SECOND_MS = 1_000
/** By phone. */
const CHANGES_A_SECOND = 20

/** Merges what a phone changes more often than that, and releases the last of it at the end of the second. */
export class StatusThrottle {
  readonly #release: (id: string, rest: StatusReport) => void
  readonly #thisSecond = new Map<string, { count: number; rest: StatusReport | null }>()
  #timer: NodeJS.Timeout | null = null

  constructor(release: (id: string, rest: StatusReport) => void) {
    this.#release = release
  }

  isHolding(id: string): boolean {
    return Boolean(this.#thisSecond.get(id)?.rest)
  }

  /** Returns whether this may be applied at once; otherwise it is held back. */
  admits(id: string, report: StatusReport): boolean {
    this.#timer ??= setTimeout(() => this.#endSecond(), SECOND_MS)
    const phone = this.#thisSecond.get(id) ?? { count: 0, rest: null }
    this.#thisSecond.set(id, phone)
    if (phone.count++ < CHANGES_A_SECOND) return true
    phone.rest = { ...phone.rest, awake: true, ...report }
    return false
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  #endSecond(): void {
    this.#timer = null
    const phones = [...this.#thisSecond]
    this.#thisSecond.clear()
    for (const [id, { rest }] of phones) if (rest) this.#release(id, rest)
  }
}
