import { createHash } from 'node:crypto'

/** A repeatable source of chance: the same seed makes the same evening. */
export type Random = {
  next: () => number // 0 up to, not including, 1
  between: (low: number, high: number) => number
  pick: <T>(list: readonly T[]) => T | undefined
  /** A source of its own for each phone, so that one phone's pace does not change another's choices. */
  fork: (name: string) => Random
}

export function seededRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0)

  // mulberry32
  function next() {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    pick: (list) => list[Math.floor(next() * list.length)],
    fork: (name) => seededRandom(`${seed}/${name}`),
  }
}

const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 10_000

/** Doubles with each failure; the jitter keeps a crowd from coming back in one instant. */
export function backoffMs(failures: number, random: Random): number {
  const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures)
  return random.between(ceiling / 2, ceiling)
}
