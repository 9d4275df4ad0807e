import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { EVERY, RETENTION } from '../../jobs/retention.ts'

/** The only rows of the audit that its trigger lets go, and only while this transaction names the day. */
export const clearAudit = clearingJob('clear audit', EVERY.sixHours, async ({ now }, tx) => {
  const keptFrom = new Date(now() - RETENTION.audit)
  await sql`select set_config('parley.audit_kept_from', ${keptFrom.toISOString()}, true)`.execute(tx)
  return deleteOld(tx, 'audit', sql`at < ${keptFrom}`)
})

export const auditJobs = [clearAudit]
