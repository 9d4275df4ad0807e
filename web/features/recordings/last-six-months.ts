const MONTHS = 6

/** The period of the listed recordings, in the reader's calendar. */
export function lastSixMonths(today: Temporal.PlainDate): { from: string; to: string } {
  return { from: today.subtract({ months: MONTHS }).toString(), to: today.toString() }
}
