/** Compares versions part by part: numbers by value, text alphabetically. 2.10 > 2.9.3. */
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Returns a number below 0 if the first version is older. */
export const compareVersions = (one: string, other: string): number => compare(one, other)

export function newestVersion(versions: readonly string[]): string | null {
  return versions.toSorted(compare).at(-1) || null
}
