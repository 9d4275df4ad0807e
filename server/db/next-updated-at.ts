import { type RawBuilder, sql } from 'kysely'

/** Returns a time after the row's last `updated_at`, so that a concurrent edit can be detected. */
export function nextUpdatedAt(now: Date): RawBuilder<Date> {
  return sql<Date>`greatest(${now}::timestamptz, hosts.updated_at + interval '1 millisecond')`
}
