import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { JOB_INTERVALS, keptFrom, RETENTION } from '../../jobs/retention.ts'
import { renewPasscodes } from './change-passcode.ts'
import { sweepHosts } from './sweep-hosts.ts'
import { sweepLiveRooms } from './sweep-live-rooms.ts'

/** Deletes what Zoom's events said of who joined, together with them, once the meeting is over. */
const clearJoins = (name: string, table: 'sitting_people' | 'zoom_app_joins') =>
  clearingJob(name, JOB_INTERVALS.sixHours, ({ now }, tx) =>
    deleteOld(
      tx,
      table,
      sql`reported_at < ${new Date(now() - RETENTION.zoom_events)} and not exists (
        select from sittings
        where sittings.room_id = ${sql.table(table)}.room_id
          and sittings.meeting_uuid = ${sql.table(table)}.meeting_uuid and is_live
      )`,
    ),
  )

export const clearPresences = clearJoins('clear presences', 'sitting_people')
export const clearZoomAppJoins = clearJoins('clear joins of Zoom apps', 'zoom_app_joins')

/** Keeps the times of meetings as long as attendance. */
export const clearSittings = clearingJob('clear sittings', JOB_INTERVALS.sixHours, (deps, tx) =>
  deleteOld(
    tx,
    'sittings',
    sql`greatest(live_reported_at, last_checked_at) < ${keptFrom(deps, deps.config.RETENTION_ATTENDANCE_DAYS)}`,
  ),
)

export const roomJobs = [sweepLiveRooms, renewPasscodes, sweepHosts, clearPresences, clearZoomAppJoins, clearSittings]
