import { sql } from 'kysely'
import { DAY_MS } from '../../../shared/dates.ts'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { mailDaily, mailSoon } from './find-occasions.ts'
import { sendMails } from './send-mails.ts'

/** Ended mails are kept for as long as the limits count them. */
export const clearMails = clearingJob('clear mails', JOB_INTERVALS.hour, ({ now }, tx) =>
  deleteOld(tx, 'mails', sql`ended_at <= ${new Date(now() - DAY_MS)}`),
)

export const mailJobs = [sendMails, mailDaily, mailSoon, clearMails]
