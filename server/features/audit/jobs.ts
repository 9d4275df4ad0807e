import { sql } from 'kysely'
import { DAY_MS } from '../../../shared/dates.ts'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { JOB_INTERVALS, RETENTION } from '../../jobs/retention.ts'

/** Deletes old rows. The audit's trigger permits that only for these, while this transaction names the day. */
export const clearAudit = clearingJob('clear audit', JOB_INTERVALS.sixHours, async ({ now }, tx) => {
  const keptFrom = new Date(now() - RETENTION.audit)
  await sql`select set_config('parley.audit_kept_from', ${keptFrom.toISOString()}, true)`.execute(tx)
  return deleteOld(tx, 'audit', sql`at < ${keptFrom}`)
})

const clearRefusedCalls = clearingJob('clear refused sign-ins', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'refused_sign_ins', sql`minute < ${new Date(now() - RETENTION.audit)}`),
)

const clearRefusedCallDays = clearingJob('clear days of refused sign-ins', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'refused_sign_in_days', sql`day < ${new Date(now() - DAY_MS)}`),
)

export const auditJobs = [clearAudit, clearRefusedCalls, clearRefusedCallDays]
