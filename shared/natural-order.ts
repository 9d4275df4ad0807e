let collator: Intl.Collator | undefined

/** Compares as a person does: numbers by value, letters without regard to case and accents. */
export function compareNaturally(one: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' }) // takes 3 MB of the server's memory
  return collator.compare(one, other)
}
