import { sql } from 'kysely'
import {
  type Absentee,
  ATTENDANCE_DAYS_MAX,
  type Attendance,
  type MeetingsQuery,
  type SpeakingTime,
  STAYS_SHOWN,
  type Stay,
} from '../../../shared/attendance.ts'
import { DAY_MS, dayIn, endExclusive, HOUR_MS, isDay, startOf } from '../../../shared/dates.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors.ts'

/** Days or hours of one room. A stay that overlaps them counts with the part inside them. */
export interface RoomPeriod {
  room_id: string
  has_zoom: boolean
  from: string
  to: string
  zone: string
  start: Date
  end: Date
  now: Date
}

/** A part of a period is enough for the lists of users. */
export type RoomSpan = Pick<RoomPeriod, 'room_id' | 'start' | 'end' | 'now'>

/** Days may have 25 hours. */
const LONGEST_MS = ATTENDANCE_DAYS_MAX * DAY_MS + HOUR_MS

export async function readPeriod(deps: Deps, { host_id }: HostActor, query: MeetingsQuery): Promise<RoomPeriod> {
  const now = new Date(deps.now())
  const { zone } = query
  const to = query.to ?? later(query.from && dayOf(query.from, zone), dayIn(zone, deps.now()).toString())
  const from = query.from ?? dayOf(to, zone)
  const [start, end] = [startOf(from, zone), endExclusive(to, zone)]
  if (end <= start) throw invalidField('to', 'The last day must not be before the first')
  if (end.getTime() - start.getTime() > LONGEST_MS)
    throw invalidField('to', `At most ${ATTENDANCE_DAYS_MAX} days at a time`)
  const room = await deps.db
    .selectFrom('rooms')
    .select(['id', 'zoom_meeting_id'])
    .where('host_id', '=', host_id)
    .executeTakeFirst()
  if (!room) throw new AppError('not_found', 'Room not found')
  await Promise.all([deps.stays.flush(), deps.speeches.flush()])
  return { room_id: room.id, has_zoom: room.zoom_meeting_id !== null, from, to, zone, start, end, now }
}

function dayOf(dayOrTime: string, zone: string): string {
  return isDay(dayOrTime) ? dayOrTime : dayIn(zone, Date.parse(dayOrTime)).toString()
}

function later(from: string | undefined, today: string): string {
  return from !== undefined && from > today ? from : today
}

export const inPeriod = ({ room_id, start, end }: RoomSpan) => sql`stays.room_id = ${room_id} and joined_at < ${end}
  and (left_at is null or left_at > ${start} or joined_at >= ${start})`

export const secondsWithin = ({ start, end, now }: RoomSpan) =>
  sql`extract(epoch from greatest(least(coalesce(left_at, ${now}), ${end}) - greatest(joined_at, ${start}), '0'))`

/** Lists users in the order of arrival. A deleted user keeps the name of the last stay. */
export async function listAttendees({ db }: Deps, period: RoomSpan): Promise<AttendeeRow[]> {
  const { rows } = await sql<AttendeeRow>`
    select attended.id, coalesce(room_users.user_id, attended.user_id) as user_id,
      coalesce(room_users.username, attended.username) as username, reference,
      first_joined, last_left, total_seconds, visits
    from (
      select room_user_id as id,
        (array_agg(user_id order by joined_at desc))[1] as user_id,
        (array_agg(username order by joined_at desc))[1] as username,
        min(joined_at) as first_joined,
        case when bool_or(left_at is null) then null else max(left_at) end as last_left,
        sum(${secondsWithin(period)})::int as total_seconds,
        count(*)::int as visits
      from stays where ${inPeriod(period)} group by room_user_id
    ) as attended
    left join room_users on room_users.id = attended.id
    order by first_joined, user_id`.execute(db)
  return rows
}

type AttendeeRow = Omit<Attendance, 'first_joined' | 'last_left'> & { first_joined: Date; last_left: Date | null }

export function toAttendance({ first_joined, last_left, ...row }: AttendeeRow): Attendance {
  return { ...row, first_joined: first_joined.toISOString(), last_left: last_left?.toISOString() ?? null }
}

/** Lists users of the room who have no stay in these days and existed before their end. */
export async function listAbsentees({ db }: Deps, period: RoomSpan): Promise<Absentee[]> {
  return db
    .selectFrom('room_users')
    .select(['id', 'user_id', 'username', 'reference'])
    .where('room_id', '=', period.room_id)
    .where('created_at', '<', period.end)
    .where(sql<boolean>`not exists (select from stays where room_user_id = room_users.id and ${inPeriod(period)})`)
    .orderBy('user_id_key')
    .execute()
}

/** Lists who spoke, the longest first. A deleted user keeps the name of the last stay. */
export async function listSpeakers({ db }: Deps, { room_id, start, end }: RoomSpan): Promise<SpeakingTime[]> {
  const { rows } = await sql<SpeakingTime>`
    select spoken.id, coalesce(room_users.user_id, stayed.user_id, '') as user_id,
      coalesce(room_users.username, stayed.username, 'deleted') as username, reference, spoke_seconds
    from (
      select room_user_id as id,
        ceil(sum(extract(epoch from least(ended_at, ${end}) - greatest(began_at, ${start}))))::int as spoke_seconds
      from speeches
      where room_id = ${room_id} and began_at < ${end} and ended_at > ${start}
      group by room_user_id
    ) as spoken
    left join room_users on room_users.id = spoken.id
    left join lateral (
      select user_id, username from stays where room_user_id = spoken.id order by joined_at desc limit 1
    ) as stayed on true
    order by spoke_seconds desc, user_id`.execute(db)
  return rows
}

interface StayRow {
  key: string
  id: string
  user_id: string
  username: string
  joined_at: Date
  left_at: Date | null
  seconds: number
  total: number
}

/** Returns a page of stays, newest first. Each row has the count of all stays from there on. */
export async function listStays(
  { db }: Deps,
  period: RoomPeriod,
  after: StayRow | null,
  limit = STAYS_SHOWN,
): Promise<StayRow[]> {
  const further = after ? sql`and (joined_at, stays.id) < (${after.joined_at}, ${after.key})` : sql``
  const { rows } = await sql<StayRow>`
    select stays.id as key, room_user_id as id, coalesce(room_users.user_id, stays.user_id) as user_id,
      coalesce(room_users.username, stays.username) as username, joined_at, left_at,
      ${secondsWithin(period)}::int as seconds, count(*) over ()::int as total
    from stays left join room_users on room_users.id = room_user_id
    where ${inPeriod(period)} ${further}
    order by joined_at desc, stays.id desc limit ${sql.lit(limit)}`.execute(db)
  return rows
}

export function toStay({ id, user_id, username, joined_at, left_at, seconds }: StayRow): Stay {
  return {
    ...{ id, user_id, username, seconds },
    joined_at: joined_at.toISOString(),
    left_at: left_at?.toISOString() ?? null,
  }
}
