const MONTHS = 6

/** The days between which recordings are listed, as the reader's calendar counts them. */
export function lastSixMonths(today: Date): { from: string; to: string } {
  const from = new Date(today.getFullYear(), today.getMonth() - MONTHS, 1)
  const lastOfMonth = new Date(from.getFullYear(), from.getMonth() + 1, 0).getDate()
  from.setDate(Math.min(today.getDate(), lastOfMonth)) // six months before 31 August is 28 or 29 February
  return { from: dayOf(from), to: dayOf(today) }
}

function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
