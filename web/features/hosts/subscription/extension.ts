import { DAY_MS } from '../../../../shared/dates.ts'
import type { Host } from '../../../../shared/hosts.ts'
import { datesOf, extendDates } from '../../../../shared/subscription-dates.ts'
import { serverNow } from '../../../lib/server-clock.ts'

/** Follows the server's own rules. */
export function endAfter(host: Host, months: number): string {
  const now = new Date(serverNow())
  return (extendDates(datesOf(host), months, now).subscription_end_date ?? now).toISOString()
}

/**
 * Detects in the list that an unanswered extension was done. An extension of an ended subscription begins at a moment
 * that only the server knows, so the end may differ a little from the foretold one.
 */
export function endsAsForetold(listed: Host | undefined, foretoldEnd: string): boolean {
  const end = listed?.subscription_end_date
  return typeof end === 'string' && Math.abs(Date.parse(end) - Date.parse(foretoldEnd)) < DAY_MS
}
