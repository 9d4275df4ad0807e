/** 2.10 is newer than 2.9.3, and so are its parts: numbers by value, what else an app writes by its letters. */
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Below 0 where the first is the older. */
export const compareVersions = (one: string, other: string): number => compare(one, other)

export function newestVersion(versions: readonly string[]): string | null {
  return versions.toSorted(compare).at(-1) || null
}
