import { createHash } from 'node:crypto'
import type { RandomSource } from '../shared/phone/backoff.ts'

/** A seeded generator: the same seed yields the same numbers, so that runs are reproducible. */
export type Random = RandomSource & {
  next: () => number // from 0 up to but excluding 1
  pick: <T>(list: readonly T[]) => T | undefined
  /** Derives an independent generator for each phone, so that one phone's pace does not affect another's choices. */
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
