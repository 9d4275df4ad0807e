import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'

/** Enough for somebody who waits for the host, or whose connection drops again and again. */
const PER_MINUTE = 12
const MINUTE_MS = 60_000
const PEOPLE = 50_000

/** So many tickets a minute for each person: most of them cost a call of the host's Zoom account, which has limits. */
export class JoinTicketLimit {
  readonly #now: Clock
  readonly #asked = new Map<string, number[]>()

  constructor(now: Clock) {
    this.#now = now
  }

  take(person: string): void {
    const now = this.#now()
    const recent = this.#recent(person, now)
    const [oldest] = recent
    if (recent.length >= PER_MINUTE && oldest !== undefined) {
      throw new AppError('too_many', 'Too many attempts to join. Please wait a moment and try again.', {
        retryAfterSeconds: Math.ceil((oldest + MINUTE_MS - now) / 1000),
      })
    }
    this.#asked.set(person, [...recent, now])
    if (this.#asked.size > PEOPLE)
      for (const one of this.#asked.keys()) if (this.#recent(one, now).length === 0) this.#asked.delete(one)
  }

  #recent(person: string, now: number): number[] {
    return (this.#asked.get(person) ?? []).filter((at) => at > now - MINUTE_MS)
  }
}
