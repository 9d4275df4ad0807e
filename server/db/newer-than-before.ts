import { type RawBuilder, sql } from 'kysely'

/** The time of a change as the row's `updated_at`, never the one before: it tells whether somebody came between. */
export function newerThanBefore(now: Date): RawBuilder<Date> {
  return sql<Date>`greatest(${now}::timestamptz, hosts.updated_at + interval '1 millisecond')`
}
