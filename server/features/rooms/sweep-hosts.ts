import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, utcDay } from '../../../shared/dates.ts'
import type { Tx } from '../../db/client.ts'
import { withJobLock } from '../../db/job-lock.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { type RecordedRoom, syncRecordings } from '../recordings/zoom-sync.ts'
import { connectRoom } from './room-meeting.ts'

/** Two windows of Zoom's list. Older recordings were listed on an earlier day. */
const RECENT_DAYS = 55
/** Zoom lists nothing older than this. */
const ALL_DAYS = 184
const HOSTS_AT_ONCE = 3
/** Limits the run, because other jobs wait for it. */
const SWEEP_MS = 20_000

type Due = RecordedRoom & { is_new: boolean }

/** Reconciles each connected host's meeting and recordings with Zoom once a day, because events may be lost. */
export const sweepHosts: Job = {
  name: 'sweep hosts at zoom',
  every: JOB_INTERVALS.tenMinutes,
  async run(deps, signal) {
    const end = performance.now() + SWEEP_MS
    let total = 0
    while (!signal?.aborted && performance.now() < end) {
      const due = (await withJobLock(deps.db, this.name, (tx) => takeDue(deps, tx))) ?? []
      if (due.length === 0) break
      await Promise.all(due.map((room) => reconcileHost(deps, room)))
      total += due.length
    }
    return total
  },
}

/** Claims hosts, which are due again in an hour unless the run succeeds. */
async function takeDue({ now }: Deps, tx: Tx): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select zoom_links.host_id from zoom_links join hosts on hosts.id = zoom_links.host_id
      where next_check_at <= ${new Date(now())} and not reconnect_needed and deleted_at is null
      order by next_check_at
      limit ${sql.lit(HOSTS_AT_ONCE)}
    ), taken as (
      update zoom_links set next_check_at = ${new Date(now() + HOUR_MS)} from due
      where zoom_links.host_id = due.host_id
      returning zoom_links.host_id, recordings_synced_at is null or recordings_synced_at < connected_at as is_new
    )
    select rooms.id, rooms.host_id, rooms.zoom_meeting_id, taken.is_new
    from taken join rooms on rooms.host_id = taken.host_id`.execute(tx)
  return rows
}

async function reconcileHost(deps: Deps, { is_new, ...room }: Due): Promise<void> {
  try {
    await connectRoom(deps, room.host_id)
    const days = is_new ? ALL_DAYS : RECENT_DAYS
    const now = deps.now()
    const isDone = await syncRecordings(deps, room, utcDay(now).subtract({ days }))
    if (!isDone) return
    await deps.db
      .updateTable('zoom_links')
      .set({ recordings_synced_at: new Date(now), next_check_at: new Date(now + DAY_MS) })
      .where('host_id', '=', room.host_id)
      .execute()
  } catch (err) {
    deps.log.error({ err, host_id: room.host_id }, 'zoom.host_not_reconciled')
  }
}
