const MONTHS = 6

/** The days between which recordings are listed, as the reader's calendar counts them. */
export function lastSixMonths(today: Temporal.PlainDate): { from: string; to: string } {
  return { from: today.subtract({ months: MONTHS }).toString(), to: today.toString() }
}
