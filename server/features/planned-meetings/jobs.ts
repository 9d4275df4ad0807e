import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { JOB_INTERVALS, RETENTION } from '../../jobs/retention.ts'

export const clearPlannedMeetings = clearingJob('clear planned meetings', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'planned_meetings', sql`over_at < ${new Date(now() - RETENTION.planned_meetings)}`),
)

export const plannedMeetingJobs = [clearPlannedMeetings]
