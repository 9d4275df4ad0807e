/** The size limit, more than people leave open at once. */
const MOST = 1_000

/** Adds an entry. Anybody can, so the oldest is evicted. All entries of a map have the same lifetime. */
export function keepRecent<T extends { expires_at: number }>(held: Map<string, T>, key: string, value: T, now: number) {
  for (const [oldest, { expires_at }] of held) {
    if (expires_at > now && held.size < MOST) break
    held.delete(oldest)
  }
  held.set(key, value)
}
