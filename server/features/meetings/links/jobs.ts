import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../../jobs/job.ts'
import { JOB_INTERVALS } from '../../../jobs/retention.ts'

export const clearReportLinks = clearingJob('clear report links', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'report_links', sql`expires_at < ${new Date(now())}`),
)

export const reportLinkJobs = [clearReportLinks]
