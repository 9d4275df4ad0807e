import { sql } from 'kysely'
import type { AuditAction } from '../../../shared/audit.ts'
import {
  type MeetingReport,
  type MeetingSummary,
  type MeetingVisitor,
  PUNCTUAL_SECONDS,
} from '../../../shared/meetings.ts'
import type { Deps } from '../../deps.ts'
import { listAbsentees, listAttendees, listSpeakers, toAttendance } from '../attendance/attendance.ts'
import { findSummary, MEETING_ACTS, type ReportedRoom } from './summaries.ts'
import { listUncalledHands } from './uncalled-hands.ts'

export async function readReport(deps: Deps, room: ReportedRoom, id: string): Promise<MeetingReport> {
  const meeting = await findSummary(deps, room, id)
  const start = new Date(meeting.started_at)
  const end = meeting.ended_at ? new Date(meeting.ended_at) : room.now
  const period = { ...room, start, end }
  const attendees = await listAttendees(deps, period)
  return {
    meeting,
    users: attendees.map((row) => ({ ...toAttendance(row), ...punctualityOf(row, meeting) })),
    absent: await listAbsentees(deps, period),
    speakers: await listSpeakers(deps, period),
    hands: await listUncalledHands(deps, period, meeting),
    acts: await countActs(deps, room, { start, end }),
  }
}

/** A user who is still here after the end has not left early. */
function punctualityOf(
  { first_joined, last_left }: { first_joined: Date; last_left: Date | null },
  { started_at, ended_at }: MeetingSummary,
): Pick<MeetingVisitor, 'late_seconds' | 'early_seconds'> {
  const late = Math.round((first_joined.getTime() - Date.parse(started_at)) / 1000)
  const early = last_left && ended_at ? Math.round((Date.parse(ended_at) - last_left.getTime()) / 1000) : 0
  return {
    late_seconds: late > PUNCTUAL_SECONDS ? late : null,
    early_seconds: early > PUNCTUAL_SECONDS ? early : null,
  }
}

async function countActs(
  { db }: Deps,
  { host_id }: ReportedRoom,
  { start, end }: { start: Date; end: Date },
): Promise<MeetingReport['acts']> {
  return db
    .selectFrom('audit')
    .select([sql<AuditAction>`action`.as('action'), sql<number>`count(*)::int`.as('times')])
    .where('host_id', '=', host_id)
    .where('at', '>=', start)
    .where('at', '<', end)
    .where('action', 'in', MEETING_ACTS)
    .where('actor_role', 'in', ['host', 'assistant'])
    .groupBy('action')
    .orderBy('times', 'desc')
    .orderBy('action')
    .execute()
}
