import { sql } from 'kysely'
import { DAY_MS } from '../../../shared/dates.ts'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { JOB_INTERVALS, keptFrom } from '../../jobs/retention.ts'

/** Deletes old rows. The audit's trigger permits that only for these, while this transaction names the day. */
export const clearAudit = clearingJob('clear audit', JOB_INTERVALS.sixHours, async (deps, tx) => {
  const from = keptFrom(deps, deps.config.RETENTION_AUDIT_DAYS)
  await sql`select set_config('parley.audit_kept_from', ${from.toISOString()}, true)`.execute(tx)
  return deleteOld(tx, 'audit', sql`at < ${from}`)
})

const clearRefusedCalls = clearingJob('clear refused sign-ins', JOB_INTERVALS.sixHours, (deps, tx) =>
  deleteOld(tx, 'refused_sign_ins', sql`minute < ${keptFrom(deps, deps.config.RETENTION_AUDIT_DAYS)}`),
)

const clearRefusedCallDays = clearingJob('clear days of refused sign-ins', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'refused_sign_in_days', sql`day < ${new Date(now() - DAY_MS)}`),
)

export const auditJobs = [clearAudit, clearRefusedCalls, clearRefusedCallDays]
