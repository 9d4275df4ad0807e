import { sql } from 'kysely'
import { DASHBOARD_DAYS, type DashboardCharts } from '../../../shared/dashboard.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { readPeriod } from '../attendance/attendance.ts'
import { countDaily } from '../attendance/charts/days.ts'
import { countPresence } from '../attendance/charts/presence.ts'
import { meetingTimes } from '../rooms/meeting-times.ts'

/** Reads the two small charts: users per day, and users over the meeting that ended last. */
export async function readDashboardCharts(deps: Deps, by: HostActor, zone: string): Promise<DashboardCharts> {
  const today = await readPeriod(deps, by, { zone })
  const days = (await countDaily(deps, today)).slice(-DASHBOARD_DAYS)
  const meeting = await findLastMeeting(deps, today.room_id)
  if (!meeting) return { days, last_meeting: null }
  const started_at = meeting.started_at.toISOString()
  const end = new Date(Math.max(meeting.ended_at.getTime(), meeting.started_at.getTime())) // Zoom's times may cross
  const presence = await countPresence(deps, {
    ...today,
    from: started_at,
    to: end.toISOString(),
    start: meeting.started_at,
    end: new Date(end.getTime() + 1),
  })
  return { days, last_meeting: { id: meeting.id, started_at, ended_at: meeting.ended_at.toISOString(), presence } }
}

async function findLastMeeting({ db }: Deps, room_id: string) {
  const { rows } = await sql<{ id: string; started_at: Date; ended_at: Date }>`
    select id, started_at, ended_at from (${meetingTimes(room_id)}) as meetings
    where ended_at is not null order by started_at desc limit 1`.execute(db)
  return rows[0]
}
