export interface RandomSource {
  between(low: number, high: number): number
}

export const random: RandomSource = { between: (low, high) => low + (high - low) * Math.random() }

const BASE_MS = 500
const LONGEST_MS = 10_000

/** Exponential backoff, with jitter so that a crowd does not return at the same moment. */
export function backoffMs(failures: number, { between }: RandomSource): number {
  const ceiling = Math.min(LONGEST_MS, BASE_MS * 2 ** failures)
  return between(ceiling / 2, ceiling)
}
