import { sql } from 'kysely'
import pLimit from 'p-limit'
import type { Tx } from '../../db/client.ts'
import { withJobLock } from '../../db/job-lock.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { deadlineIn } from '../../zoom/deadline.ts'
import { type RoomAtZoom, reconcileMeeting } from './reconcile-meeting.ts'

/** A little less than the interval, which may vary by a second. */
const POLLED_MS = 50_000
const ROOMS_AT_ONCE = 300
const CALLS_AT_ONCE = 4
/** Limits the run, because other jobs wait for it. */
const SWEEP_MS = 20_000

/** Polls the meetings that are marked live, because the event of an end may be lost. */
export const sweepLiveRooms: Job = {
  name: 'sweep live rooms',
  every: JOB_INTERVALS.minute,
  async run(deps, signal) {
    const rooms = (await withJobLock(deps.db, this.name, (tx) => takeRooms(deps, tx))) ?? []
    const deadline = deadlineIn(SWEEP_MS)
    const outcomes = await pLimit(CALLS_AT_ONCE).map(rooms, async (room) => {
      if (signal?.aborted || deadline.remaining() <= 0) return 'skipped'
      return reconcileMeeting(deps, room, deadline).catch((err: unknown) => {
        deps.log.warn({ err, host_id: room.host_id }, 'zoom.meeting_not_polled')
        return 'skipped'
      })
    })
    return outcomes.filter((outcome) => outcome === 'waiting' || outcome === 'gone').length
  },
}

/** Takes the rooms not polled for the longest time, and marks them, so that no other node takes them. */
async function takeRooms({ now }: Deps, tx: Tx): Promise<RoomAtZoom[]> {
  const { rows } = await sql<RoomAtZoom>`
    with due as (
      select room_id, meeting_uuid from sittings
      join rooms on rooms.id = sittings.room_id and rooms.zoom_meeting_id = sittings.meeting_id
      where is_live and (last_checked_at is null or last_checked_at <= ${new Date(now() - POLLED_MS)})
      order by last_checked_at nulls first
      limit ${sql.lit(ROOMS_AT_ONCE)}
    ), taken as (
      update sittings set last_checked_at = ${new Date(now())} from due
      where sittings.room_id = due.room_id and sittings.meeting_uuid = due.meeting_uuid
      returning sittings.room_id
    )
    select rooms.id, rooms.host_id, rooms.zoom_meeting_id
    from taken join rooms on rooms.id = taken.room_id
    join zoom_links on zoom_links.host_id = rooms.host_id and not zoom_links.reconnect_needed`.execute(tx)
  return rows
}
