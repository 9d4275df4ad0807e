let collator: Intl.Collator | undefined

/**
 * Returns a number below 0 if the first version is older. Compares part by part: numbers by value, text alphabetically.
 * 2.10 > 2.9.3.
 */
export function compareVersions(one: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' }) // takes 3 MB of the server's memory
  return collator.compare(one, other)
}

export function newestVersion(versions: readonly string[]): string | null {
  return versions.toSorted(compareVersions).at(-1) || null
}
