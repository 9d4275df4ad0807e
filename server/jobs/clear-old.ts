import { type RawBuilder, sql } from 'kysely'
import { KNOWN_MS } from '../auth/known-devices.ts'
import type { Tx } from '../db.ts'
import { KEPT_MS } from '../idempotency.ts'
import { clearingJob, ROWS_AT_ONCE } from './job.ts'
import { EVERY, KEPT } from './retention.ts'

export const clearOAuthStates = clearingJob('clear oauth states', EVERY.tenMinutes, ({ now }, tx) =>
  deleteSome(tx, 'oauth_states', sql`expires_at <= ${new Date(now())}`),
)

export const clearIdempotencyKeys = clearingJob('clear idempotency keys', EVERY.hour, ({ now }, tx) =>
  deleteSome(tx, 'idempotency_keys', sql`created_at < ${new Date(now() - KEPT_MS)}`),
)

export const clearSessions = clearingJob('clear sessions', EVERY.sixHours, ({ now }, tx) =>
  deleteSome(tx, 'sessions', sql`ended_at < ${new Date(now() - KEPT.sessions)}`),
)

export const clearKnownDevices = clearingJob('clear known devices', EVERY.sixHours, ({ now }, tx) =>
  deleteSome(tx, 'known_devices', sql`seen_at < ${new Date(now() - KNOWN_MS)}`),
)

export const clearStays = clearingJob('clear stays', EVERY.sixHours, ({ now }, tx) =>
  deleteSome(tx, 'stays', sql`left_at < ${new Date(now() - KEPT.stays)}`),
)

/** The only rows of the audit that its trigger lets go, and only while this transaction names the day. */
export const clearAudit = clearingJob('clear audit', EVERY.sixHours, async ({ now }, tx) => {
  const keptFrom = new Date(now() - KEPT.audit)
  await sql`select set_config('parley.audit_kept_from', ${keptFrom.toISOString()}, true)`.execute(tx)
  return deleteSome(tx, 'audit', sql`at < ${keptFrom}`)
})

/** The condition stands twice: a row may have changed between being found and being deleted. */
async function deleteSome(tx: Tx, table: string, isOld: RawBuilder<unknown>): Promise<number> {
  const from = sql.table(table)
  const found = sql`select ctid from ${from} where (${isOld}) limit ${sql.lit(ROWS_AT_ONCE)}`
  const { numAffectedRows } = await sql`delete from ${from} where ctid in (${found}) and (${isOld})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
