import { sql } from 'kysely'
import type { Db } from '../../server/db/client.ts'

/** Counts the calls that wait for a lock of the database. */
export async function countLockWaits(db: Db): Promise<number> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
