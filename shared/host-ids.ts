import { normaliseForComparison } from './normalise.ts'

export function hostUserId(numericalId: number): string {
  return `H${String(numericalId).padStart(6, '0')}`
}

/** Parses a typed Host ID with any number of leading zeros; null if it is invalid. */
export function numericalIdOf(userId: string): number | null {
  const digits = /^h(\d{1,9})$/.exec(normaliseForComparison(userId))?.[1]
  return digits === undefined ? null : Number(digits)
}
