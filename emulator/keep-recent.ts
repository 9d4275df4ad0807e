/** More than people leave open at once. */
const MOST = 1_000

/** Anybody may add an entry, so the oldest gives way. All entries of a map live equally long. */
export function keepRecent<T extends { expires_at: number }>(held: Map<string, T>, key: string, value: T, now: number) {
  for (const [oldest, { expires_at }] of held) {
    if (expires_at > now && held.size < MOST) break
    held.delete(oldest)
  }
  held.set(key, value)
}
