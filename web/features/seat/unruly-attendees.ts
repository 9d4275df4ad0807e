const TIMES = 5
const WITHIN_MS = 60_000

/** Finds who keeps opening a microphone: whom the guard has muted five times within a minute. */
export class UnrulyAttendees {
  readonly #mutedAt = new Map<string, number[]>()

  count(key: string, times: number) {
    const now = performance.now()
    const added = Array.from({ length: Math.min(times, TIMES) }, () => now)
    this.#mutedAt.set(key, [...(this.#mutedAt.get(key) ?? []), ...added].slice(-TIMES))
  }

  /** Returns the keys, and forgets whoever is no longer in the meeting. */
  list(present: ReadonlyMap<string, unknown>): string[] {
    const since = performance.now() - WITHIN_MS
    for (const [key, times] of this.#mutedAt) {
      const recent = times.filter((at) => at > since)
      if (recent.length === 0 || !present.has(key)) this.#mutedAt.delete(key)
      else this.#mutedAt.set(key, recent)
    }
    return [...this.#mutedAt].filter(([, times]) => times.length >= TIMES).map(([key]) => key)
  }

  clear() {
    this.#mutedAt.clear()
  }
}
