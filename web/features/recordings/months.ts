import type { Recording } from '../../../shared/recordings.ts'

const NAME = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' })

/** The month of a recording in the reader's own time zone, as 2026-11. */
export function monthOf({ created_at }: Pick<Recording, 'created_at'>): string {
  const date = new Date(created_at)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`
}

/** The months that have recordings, the latest first, each with how many. */
export function monthsOf(recordings: readonly Pick<Recording, 'created_at'>[]): { value: string; label: string }[] {
  const months = Map.groupBy(recordings, monthOf)
  return [...months.keys()]
    .toSorted()
    .reverse()
    .map((value) => {
      const [year, month] = value.split('-').map(Number)
      const name = NAME.format(new Date(year ?? 0, (month ?? 1) - 1))
      return { value, label: `${name} (${months.get(value)?.length})` }
    })
}
