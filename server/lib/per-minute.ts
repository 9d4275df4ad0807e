import { AppError } from '../errors.ts'
import type { Clock } from './clock.ts'

const MINUTE_MS = 60_000
const PEOPLE = 50_000

interface Limit {
  count: number
  /** What the caller is told. */
  message: string
}

/** So many of something a minute for each person. */
export class PerMinute {
  readonly #now: Clock
  readonly #limit: Limit
  readonly #asked = new Map<string, number[]>()

  constructor(now: Clock, limit: Limit) {
    this.#now = now
    this.#limit = limit
  }

  take(person: string): void {
    const now = this.#now()
    const recent = this.#recent(person, now)
    const [oldest] = recent
    if (recent.length >= this.#limit.count && oldest !== undefined) {
      const retryAfterSeconds = Math.ceil((oldest + MINUTE_MS - now) / 1000)
      throw new AppError('too_many', this.#limit.message, { retryAfterSeconds })
    }
    this.#asked.set(person, [...recent, now])
    if (this.#asked.size > PEOPLE)
      for (const one of this.#asked.keys()) if (this.#recent(one, now).length === 0) this.#asked.delete(one)
  }

  #recent(person: string, now: number): number[] {
    return (this.#asked.get(person) ?? []).filter((at) => at > now - MINUTE_MS)
  }
}
