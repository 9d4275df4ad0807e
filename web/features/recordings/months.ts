import type { Recording } from '../../../shared/recordings.ts'

/** Returns the month of a recording in the reader's own time zone, as 2026-11. */
export function monthOf({ created_at }: Pick<Recording, 'created_at'>): string {
  const local = Temporal.Instant.from(created_at).toZonedDateTimeISO(Temporal.Now.timeZoneId())
  return local.toPlainDate().toPlainYearMonth().toString()
}

/** Lists the months that have recordings, the latest first, each with its count. */
export function monthsOf(recordings: readonly Pick<Recording, 'created_at'>[]): { value: string; label: string }[] {
  const months = Map.groupBy(recordings, monthOf)
  return [...months.keys()]
    .toSorted()
    .reverse()
    .map((value) => {
      const firstDay = Temporal.PlainYearMonth.from(value).toPlainDate({ day: 1 })
      const name = firstDay.toLocaleString('en-GB', { month: 'long', year: 'numeric' })
      return { value, label: `${name} (${months.get(value)?.length})` }
    })
}
