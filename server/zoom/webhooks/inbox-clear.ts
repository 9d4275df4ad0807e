import { sql } from 'kysely'
import { clearingJob, ROWS_AT_ONCE } from '../../jobs/job.ts'
import { EVERY, KEPT } from '../../jobs/retention.ts'

/** What Zoom has told a week ago: it repeats nothing that is older, and nothing that is older comes late. */
export const clearZoomEvents = clearingJob('clear zoom events', EVERY.sixHours, async ({ now }, tx) => {
  const old = new Date(now() - KEPT.zoom_events)
  const some = sql.lit(ROWS_AT_ONCE)
  const counts = [
    await sql`delete from zoom_events where body_hash in (select body_hash from zoom_events where received_at < ${old} limit ${some})`.execute(
      tx,
    ),
    await sql`delete from recording_marks where ctid in (select ctid from recording_marks where told_at < ${old} limit ${some})`.execute(
      tx,
    ),
    await sql`delete from sittings where ctid in (select ctid from sittings where greatest(live_told_at, looked_at) < ${old} limit ${some})`.execute(
      tx,
    ),
  ].map(({ numAffectedRows }) => Number(numAffectedRows ?? 0))
  return Math.max(...counts)
})
