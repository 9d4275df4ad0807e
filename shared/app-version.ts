import { compareNaturally } from './natural-order.ts'

/**
 * Returns a number below 0 if the first version is older. Compares part by part: numbers by value, text alphabetically.
 * 2.10 > 2.9.3.
 */
export function compareVersions(one: string, other: string): number {
  return compareNaturally(one, other)
}

export function newestVersion(versions: readonly string[]): string | null {
  return versions.toSorted(compareVersions).at(-1) || null
}
