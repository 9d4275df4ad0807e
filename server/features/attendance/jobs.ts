import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { EVERY, RETENTION } from '../../jobs/retention.ts'

export const clearStays = clearingJob('clear stays', EVERY.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'stays', sql`left_at < ${new Date(now() - RETENTION.stays)}`),
)

export const attendanceJobs = [clearStays]
