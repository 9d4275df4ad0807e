import { DAY_MS, HOUR_MS } from '../../shared/dates.ts'
import type { Clock } from '../lib/clock.ts'

/**
 * Ended things are kept this long, in ms. Settings decide on the audit, attendance and archived copies. A deleted host's
 * data: `RETENTION_MS` in hosts.ts. Answers: idempotency.ts.
 */
export const RETENTION = {
  /** A used OAuth result, which its host's form may still name. */
  oauth_results: DAY_MS,
  /** Ended sessions, with the IP address of the sign-in. */
  sessions: 30 * DAY_MS,
  /** Finished ones, which hold no names. */
  erasures: 30 * DAY_MS,
  /** All requests, decided or not. The audit log keeps them longer. */
  phone_requests: 7 * DAY_MS,
  /** The same time as in Zoom's trash. */
  trash: 30 * DAY_MS,
  /** Counts from the end of the last meeting. */
  planned_meetings: 7 * DAY_MS,
  /** A purge deletes an account's events sooner. */
  zoom_events: 7 * DAY_MS,
  /** Counts by the hour. */
  zoom_errors: 7 * DAY_MS,
} as const

/** Returns the time before which things are too old, by the setting that says for how many days they are kept. */
export function keptFrom({ now }: { now: Clock }, days: number): Date {
  return new Date(now() - days * DAY_MS)
}

export const JOB_INTERVALS = {
  tenSeconds: 10_000,
  minute: 60_000,
  tenMinutes: 600_000,
  hour: HOUR_MS,
  sixHours: 6 * HOUR_MS,
} as const
