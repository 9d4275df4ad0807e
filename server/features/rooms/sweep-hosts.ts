import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, utcDay } from '../../../shared/dates.ts'
import type { Tx } from '../../db/client.ts'
import { withJobLock } from '../../db/job-lock.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { EVERY } from '../../jobs/retention.ts'
import { type RecordedRoom, syncRecordings } from '../recordings/zoom-sync.ts'
import { connectRoom } from './room-meeting.ts'

/** Two windows of Zoom's list: what is older has been seen before, on one of the days since. */
const RECENT_DAYS = 55
/** Zoom lists nothing that is older. */
const ALL_DAYS = 184
const HOSTS_AT_ONCE = 3
/** Other jobs wait meanwhile; whoever was not reached is due still. */
const SWEEP_MS = 20_000

type Due = RecordedRoom & { is_new: boolean }

/**
 * Once a day looks at each connected host's Zoom: whether its room's meeting is still there and as it should be, and which
 * recordings there are. Events tell the same at once, but may be lost.
 */
export const sweepHosts: Job = {
  name: 'sweep hosts at zoom',
  every: EVERY.tenMinutes,
  async run(deps, signal) {
    const end = performance.now() + SWEEP_MS
    let total = 0
    while (!signal?.aborted && performance.now() < end) {
      const due = (await withJobLock(deps.db, this.name, (tx) => takeDue(deps, tx))) ?? []
      if (due.length === 0) break
      await Promise.all(due.map((room) => lookAfter(deps, room)))
      total += due.length
    }
    return total
  },
}

/** Due again in an hour, unless all goes well. */
async function takeDue({ now }: Deps, tx: Tx): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select zoom_links.host_id from zoom_links join hosts on hosts.id = zoom_links.host_id
      where look_at <= ${new Date(now())} and not reconnect_needed and deleted_at is null
      order by look_at
      limit ${sql.lit(HOSTS_AT_ONCE)}
    ), taken as (
      update zoom_links set look_at = ${new Date(now() + HOUR_MS)} from due
      where zoom_links.host_id = due.host_id
      returning zoom_links.host_id, recordings_synced_at is null or recordings_synced_at < connected_at as is_new
    )
    select rooms.id, rooms.host_id, rooms.zoom_meeting_id, taken.is_new
    from taken join rooms on rooms.host_id = taken.host_id`.execute(tx)
  return rows
}

async function lookAfter(deps: Deps, { is_new, ...room }: Due): Promise<void> {
  try {
    await connectRoom(deps, room.host_id)
    const days = is_new ? ALL_DAYS : RECENT_DAYS
    const now = deps.now()
    const isDone = await syncRecordings(deps, room, utcDay(now).subtract({ days }))
    if (!isDone) return
    await deps.db
      .updateTable('zoom_links')
      .set({ recordings_synced_at: new Date(now), look_at: new Date(now + DAY_MS) })
      .where('host_id', '=', room.host_id)
      .execute()
  } catch (err) {
    deps.log.error({ err, host_id: room.host_id }, "The daily look at a host's Zoom failed; it is tried again")
  }
}
