import { DAY_MS, HOUR_MS } from '../../shared/dates.ts'

/** How long ended things are kept. A deleted host's data: `RETENTION_MS` in hosts.ts. A repeat's answer: idempotency.ts. */
export const RETENTION = {
  /** A spent OAuth result that its host's form may still name. */
  oauth_results: DAY_MS,
  /** Ended sessions, with the address that they were opened from. */
  sessions: 30 * DAY_MS,
  /** Decided or not; the audit log has them longer. */
  phone_requests: 7 * DAY_MS,
  /** A year's attendance can be listed for a month after its end. */
  stays: 396 * DAY_MS,
  /** As long as Zoom keeps its own. */
  trash: 30 * DAY_MS,
  /** A purge deletes an account's events sooner. */
  zoom_events: 7 * DAY_MS,
  /** Long enough for a question that comes up at the second yearly review. */
  audit: 731 * DAY_MS,
} as const

export const EVERY = {
  tenSeconds: 10_000,
  minute: 60_000,
  tenMinutes: 600_000,
  hour: HOUR_MS,
  sixHours: 6 * HOUR_MS,
} as const
