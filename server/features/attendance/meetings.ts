import { sql } from 'kysely'
import type { SittingTimes } from '../../../shared/attendance.ts'
import type { Deps } from '../../deps.ts'
import type { RoomPeriod } from './attendance.ts'

const SHOWN = 500

/**
 * Lists the sittings of the room's meeting that overlap the period. If the start event was lost, the sitting begins
 * after the previous one's end; if the end event was lost, the last event counts as the end.
 */
export async function listMeetings({ db }: Deps, { room_id, start, end }: RoomPeriod): Promise<SittingTimes[]> {
  const { rows } = await sql<SittingRow>`
    select id, started_at, ended_at from (
      select meeting_uuid as id,
        greatest(began_at, lag(live_reported_at) over (order by began_at)) as started_at,
        case when is_live then null else greatest(began_at, live_reported_at) end as ended_at
      from sittings where room_id = ${room_id}
    ) as meetings
    where started_at < ${end} and (ended_at is null or ended_at > ${start}) and started_at > ${LONG_AGO}
    order by started_at desc limit ${sql.lit(SHOWN)}`.execute(db)
  return rows.map(({ id, started_at, ended_at }) => ({
    id,
    started_at: started_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }))
}

/** The start of a sitting that was already running when Parley first saw it. */
const LONG_AGO = new Date('2000-01-01T00:00:00Z')

interface SittingRow {
  id: string
  started_at: Date
  ended_at: Date | null
}
