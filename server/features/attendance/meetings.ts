import { sql } from 'kysely'
import type { SittingTimes } from '../../../shared/attendance.ts'
import type { Deps } from '../../deps.ts'
import { meetingTimes } from '../rooms/meeting-times.ts'
import type { RoomPeriod } from './attendance.ts'

const SHOWN = 500

/** Lists the meetings of the room that overlap the period. */
export async function listMeetings({ db }: Deps, { room_id, start, end }: RoomPeriod): Promise<SittingTimes[]> {
  const { rows } = await sql<SittingRow>`
    select id, started_at, ended_at from (${meetingTimes(room_id)}) as meetings
    where started_at < ${end} and (ended_at is null or ended_at > ${start})
    order by started_at desc limit ${sql.lit(SHOWN)}`.execute(db)
  return rows.map(({ id, started_at, ended_at }) => ({
    id,
    started_at: started_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }))
}

interface SittingRow {
  id: string
  started_at: Date
  ended_at: Date | null
}
