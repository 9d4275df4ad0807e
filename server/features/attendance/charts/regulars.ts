import { sql } from 'kysely'
import { type FirstTimer, LAPSED_MEETINGS, type Lapsed, type LapsedUser } from '../../../../shared/attendance-charts.ts'
import type { Deps } from '../../../deps.ts'
import { meetingTimes } from '../../rooms/meeting-times.ts'
import { inPeriod, type RoomPeriod } from '../attendance.ts'

/** A year of meetings in a busy room has fewer. */
const MEETINGS_SEARCHED = 400

/** Lists users whose first stay that is kept lies in the period, in the order of arrival. */
export async function listFirstTimers({ db }: Deps, period: RoomPeriod): Promise<FirstTimer[]> {
  const { rows } = await sql<Omit<FirstTimer, 'first_joined'> & { first_joined: Date }>`
    select came.id, coalesce(room_users.user_id, came.user_id) as user_id,
      coalesce(room_users.username, came.username) as username, reference, first_joined
    from (
      select room_user_id as id, (array_agg(user_id order by joined_at desc))[1] as user_id,
        (array_agg(username order by joined_at desc))[1] as username, min(joined_at) as first_joined
      from stays where ${inPeriod(period)} group by room_user_id
    ) as came
    left join room_users on room_users.id = came.id
    where first_joined >= ${period.start}
      and not exists (select from stays where room_user_id = came.id and joined_at < ${period.start})
    order by first_joined, user_id`.execute(db)
  return rows.map((row) => ({ ...row, first_joined: row.first_joined.toISOString() }))
}

/**
 * Lists active users who came to none of the last meetings before the period's end, and existed before them. Meetings
 * to which no one came do not count.
 */
export async function listLapsed(deps: Deps, period: RoomPeriod): Promise<Lapsed> {
  const meetings = await listAttended(deps, period)
  const first = meetings.at(-1)
  if (!first || meetings.length < LAPSED_MEETINGS) return { meetings: meetings.length, users: [] }
  const { rows } = await sql<Omit<LapsedUser, 'last_joined'> & { last_joined: Date | null }>`
    select room_users.id, user_id, username, reference, latest.joined_at as last_joined
    from room_users
    left join lateral (
      select joined_at from stays
      where room_user_id = room_users.id and joined_at < ${period.end} order by joined_at desc limit 1
    ) as latest on true
    where room_id = ${period.room_id} and is_active and created_at < ${first.started_at}
      and not exists (
        select from stays, json_to_recordset(${JSON.stringify(meetings)}::json)
          as meetings (started_at timestamptz, ended_at timestamptz)
        where room_user_id = room_users.id and joined_at < ended_at and (left_at is null or left_at > started_at)
      )
    order by last_joined desc nulls last, user_id_key`.execute(deps.db)
  const users = rows.map((row) => ({ ...row, last_joined: row.last_joined?.toISOString() ?? null }))
  return { meetings: meetings.length, users }
}

/** Lists the last meetings that someone attended, the latest first. The innermost order lets the search end at the fourth. */
async function listAttended({ db }: Deps, { room_id, end, now }: RoomPeriod): Promise<Attended[]> {
  const { rows } = await sql<Attended>`
    select started_at, ended_at from (
      select started_at, least(coalesce(ended_at, ${now}), ${end}) as ended_at
      from (${meetingTimes(room_id)}) as meetings
      where started_at < ${end} order by started_at desc limit ${sql.lit(MEETINGS_SEARCHED)}
    ) as latest
    where exists (select from stays where stays.room_id = ${room_id} and left_at > started_at and joined_at < ended_at)
      or exists (select from stays where stays.room_id = ${room_id} and left_at is null and joined_at < ended_at)
    order by started_at desc limit ${sql.lit(LAPSED_MEETINGS)}`.execute(db)
  return rows
}

interface Attended {
  started_at: Date
  ended_at: Date
}
