import { backoff } from '../backoff.ts'

export interface RandomSource {
  between(low: number, high: number): number
}

export const random: RandomSource = { between: (low, high) => low + (high - low) * Math.random() }

const WAIT_MS = { first: 500, longest: 10_000 }

/** Adds jitter to the backoff, so that a crowd does not return at the same moment. */
export function backoffMs(failures: number, { between }: RandomSource): number {
  const ceiling = backoff(failures + 1, WAIT_MS)
  return between(ceiling / 2, ceiling)
}
