import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { JOB_INTERVALS, RETENTION } from '../../jobs/retention.ts'
import { renewPasscodes } from './change-passcode.ts'
import { sweepHosts } from './sweep-hosts.ts'
import { sweepLiveRooms } from './sweep-live-rooms.ts'

/** Deletes presences together with Zoom's events. */
export const clearPresences = clearingJob('clear presences', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(
    tx,
    'sitting_people',
    sql`reported_at < ${new Date(now() - RETENTION.zoom_events)} and not exists (
      select from sittings
      where sittings.room_id = sitting_people.room_id and sittings.meeting_uuid = sitting_people.meeting_uuid and is_live
    )`,
  ),
)

/** Deletes who joined with an app of Zoom's own, once the meeting is over. */
export const clearZoomAppJoins = clearingJob('clear joins of Zoom apps', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(
    tx,
    'zoom_app_joins',
    sql`reported_at < ${new Date(now() - RETENTION.zoom_events)} and not exists (
      select from sittings
      where sittings.room_id = zoom_app_joins.room_id and sittings.meeting_uuid = zoom_app_joins.meeting_uuid and is_live
    )`,
  ),
)

/** Keeps the times of meetings as long as attendance. */
export const clearSittings = clearingJob('clear sittings', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'sittings', sql`greatest(live_reported_at, last_checked_at) < ${new Date(now() - RETENTION.stays)}`),
)

export const roomJobs = [sweepLiveRooms, renewPasscodes, sweepHosts, clearPresences, clearZoomAppJoins, clearSittings]
