import { type RawBuilder, sql } from 'kysely'
import { AUDIT_KINDS, type AuditAction } from '../../../shared/audit.ts'
import { MEETINGS_SHOWN, type MeetingSummary } from '../../../shared/meetings.ts'
import type { HostActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type MeetingRow, meetingTimes } from '../rooms/meeting-times.ts'

/** Filed under meetings in the audit, but about other meetings than the one that runs. */
const OF_OTHER_MEETINGS: readonly AuditAction[] = [
  'meeting_planned',
  'planned_meeting_edited',
  'planned_meeting_removed',
  'report_link_made',
  'report_link_ended',
  'recording_shared',
  'recording_unshared',
  'recordings_trashed',
  'recordings_recovered',
]

/** The audited actions that are part of a meeting. */
export const MEETING_ACTS: readonly AuditAction[] = [
  ...AUDIT_KINDS.mutes,
  ...AUDIT_KINDS.meetings.filter((action) => !OF_OTHER_MEETINGS.includes(action)),
  'user_switch',
  'user_logout',
]

/** A room's data with all that its phones have reported until now. */
export interface ReportedRoom {
  host_id: string
  room_id: string
  has_zoom: boolean
  now: Date
}

export async function findReportedRoom(deps: Deps, { host_id }: Pick<HostActor, 'host_id'>): Promise<ReportedRoom> {
  const room = await deps.db
    .selectFrom('rooms')
    .select(['id', 'zoom_meeting_id'])
    .where('host_id', '=', host_id)
    .executeTakeFirst()
  if (!room) throw new AppError('not_found', 'Room not found')
  await Promise.all([deps.stays.flush(), deps.speeches.flush(), deps.hands.flush()])
  return { host_id, room_id: room.id, has_zoom: room.zoom_meeting_id !== null, now: new Date(deps.now()) }
}

/** Lists the newest meetings, or the newest of those that began before a time, and whether there are further ones. */
export async function listSummaries(deps: Deps, room: ReportedRoom, before?: string) {
  const earlier = before === undefined ? sql`true` : sql`started_at < ${before}`
  const shown = sql<MeetingRow>`
    select * from (${meetingTimes(room.room_id)}) as meetings
    where ${earlier} order by started_at desc limit ${sql.lit(MEETINGS_SHOWN + 1)}`
  const meetings = await readSummaries(deps, room, shown)
  return { meetings: meetings.slice(0, MEETINGS_SHOWN), has_more: meetings.length > MEETINGS_SHOWN }
}

export async function findSummary(deps: Deps, room: ReportedRoom, id: string): Promise<MeetingSummary> {
  const one = sql<MeetingRow>`select * from (${meetingTimes(room.room_id)}) as meetings where id = ${id}`
  const [summary] = await readSummaries(deps, room, one)
  if (!summary) throw new AppError('not_found', 'Meeting not found')
  return summary
}

type SummaryRow = Omit<MeetingSummary, 'started_at' | 'ended_at'> & Pick<MeetingRow, 'started_at' | 'ended_at'>

/**
 * Reads only what lies between the first and the last of these meetings: a room keeps a year of it. The peak counts only
 * one of two stays if one ends at the moment at which the other begins.
 */
async function readSummaries(
  { db }: Deps,
  { host_id, room_id, now }: ReportedRoom,
  shown: RawBuilder<MeetingRow>,
): Promise<MeetingSummary[]> {
  const { rows } = await sql<SummaryRow>`
    with meetings as materialized (
      select *, coalesce(ended_at, ${now}) as until from (${shown}) as shown
    ), near_stays as materialized (
      select room_user_id, joined_at, left_at from stays
      where room_id = ${room_id} and joined_at < (select max(until) from meetings)
        and (left_at is null or left_at > (select min(started_at) from meetings))
    ), near_speeches as materialized (
      select began_at, speeches.ended_at from speeches
      where room_id = ${room_id} and began_at < (select max(until) from meetings)
        and speeches.ended_at > (select min(started_at) from meetings)
    ), present as materialized (
      select meetings.id, room_user_id,
        greatest(joined_at, started_at) as since, least(coalesce(left_at, until), until) as gone
      from meetings join near_stays on joined_at < until and (left_at is null or left_at > started_at)
    ), peaks as (
      select id, max(online)::int as peak from (
        select id, sum(change) over (partition by id order by at, change) as online
        from (
          select id, since as at, 1 as change from present union all select id, gone, -1 from present
        ) as changes
      ) as counted group by id
    )
    select meetings.id, started_at, ended_at, note, coalesce(peak, 0) as peak,
      (select count(distinct room_user_id)::int from present where present.id = meetings.id) as users,
      (
        select coalesce(ceil(sum(extract(epoch from
          least(near_speeches.ended_at, until) - greatest(began_at, started_at)))), 0)::int
        from near_speeches where began_at < until and near_speeches.ended_at > started_at
      ) as spoke_seconds,
      (
        select count(*)::int from recordings
        where room_id = ${room_id} and meeting_uuid = meetings.id and file_type = 'M4A' and trashed_at is null
      ) as recordings,
      (
        select count(*)::int from audit
        where host_id = ${host_id} and at >= started_at and at < until
          and action in (${sql.join(MEETING_ACTS)}) and actor_role in ('host', 'assistant')
      ) as acts
    from meetings left join peaks on peaks.id = meetings.id
    order by started_at desc`.execute(db)
  return rows.map(({ started_at, ended_at, ...row }) => ({
    ...row,
    started_at: started_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }))
}
