import type { z } from 'zod'
import {
  type EditPlannedMeeting,
  type MeetingTimes,
  type NextMeeting,
  PLANNED_MEETINGS_MAX,
  type PlanMeeting,
  type PlannedMeeting,
  WEEKDAYS,
  Weekday,
} from '../../../shared/planned-meetings.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { diffFields } from '../../db/diff-fields.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalidField, notFound } from '../../errors.ts'
import { endOfAll, type MeetingTime, nextMeetingOf, nextMovedDay } from './meeting-days.ts'

export interface StoredTimes extends MeetingTimes {
  id: string
  updated_at: Date
}

/** Lists them by their next meeting; those that are over come last. */
export async function listPlannedMeetings({ db, now }: Deps, { host_id }: HostActor): Promise<PlannedMeeting[]> {
  const found = (await readTimes(db, host_id)).map((times) => shown(times, now()))
  return found.toSorted((one, other) => startOf(one).localeCompare(startOf(other)) || one.id.localeCompare(other.id))
}

const AFTER_ALL = '9'
const startOf = ({ next }: PlannedMeeting) => next?.starts_at ?? AFTER_ALL

/** Returns the running or the next planned meeting of a room. */
export async function findNextMeeting(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  host_id: string,
): Promise<NextMeeting | null> {
  return soonest((await readTimes(db, host_id)).map((times) => nextMeetingOf(times, now())))
}

function soonest(meetings: (MeetingTime | null)[]): NextMeeting | null {
  const coming = meetings.filter((meeting) => meeting !== null)
  const [first] = coming.toSorted((one, other) => one.starts_at - other.starts_at)
  return first ? written(first) : null
}

const written = ({ starts_at, ends_at }: MeetingTime): NextMeeting => ({
  starts_at: new Date(starts_at).toISOString(),
  ends_at: new Date(ends_at).toISOString(),
})

function shown({ id, updated_at, ...times }: StoredTimes, now: number): PlannedMeeting {
  const next = nextMeetingOf(times, now)
  return {
    id,
    ...times,
    updated_at: updated_at.toISOString(),
    next: next && written(next),
    moved: nextMovedDay(times, now),
  }
}

export async function readTimes(db: Db | Tx, host_id: string): Promise<StoredTimes[]> {
  const rows = await db
    .selectFrom('planned_meetings')
    .innerJoin('rooms', 'rooms.id', 'planned_meetings.room_id')
    .select(['planned_meetings.id', 'first_day', 'last_day', 'weekdays', 'time', 'minutes', 'time_zone', 'updated_at'])
    .where('rooms.host_id', '=', host_id)
    .orderBy('planned_meetings.created_at')
    .execute()
  return rows.map(({ weekdays, ...row }) => ({ ...row, weekdays: Weekday.array().parse(weekdays) }))
}

export function addPlannedMeeting(
  deps: Deps,
  by: HostActor,
  planned: z.output<typeof PlanMeeting>,
): Promise<PlannedMeeting> {
  const { db, now } = deps
  const times = inWeekOrder(planned)
  const over_at = requireToCome(times, now())
  return db.transaction().execute(async (tx) => {
    await lockHost(tx, by.host_id)
    if ((await readTimes(tx, by.host_id)).length >= PLANNED_MEETINGS_MAX)
      throw new AppError('conflict', `A room has at most ${PLANNED_MEETINGS_MAX} planned meetings. Remove one first.`)
    const room = await tx.selectFrom('rooms').select('id').where('host_id', '=', by.host_id).executeTakeFirst()
    if (!room) throw notFound('Room')
    const at = new Date(now())
    const { id } = await tx
      .insertInto('planned_meetings')
      .values({ room_id: room.id, ...times, over_at, created_at: at, updated_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(deps, tx, by, { action: 'meeting_planned', target: id, after: inLog(times) })
    return shown(await lockedTimes(tx, by, id), now())
  })
}

export function editPlannedMeeting(
  deps: Deps,
  by: HostActor,
  id: string,
  { expect: seen, ...planned }: z.output<typeof EditPlannedMeeting>,
): Promise<PlannedMeeting> {
  const { db, now } = deps
  const times = inWeekOrder(planned)
  return db.transaction().execute(async (tx) => {
    const { id: _, updated_at, ...before } = await lockedTimes(tx, by, id)
    const change = diffFields(inLog(before), inLog(times))
    if (Object.keys(change.after).length > 0) {
      requireSeen(updated_at, seen)
      const over_at = requireToCome(times, now())
      await tx
        .updateTable('planned_meetings')
        .set({ ...times, over_at, updated_at: new Date(Math.max(now(), updated_at.getTime() + 1)) })
        .where('id', '=', id)
        .execute()
      await audit(deps, tx, by, { action: 'planned_meeting_edited', target: id, ...change })
    }
    return shown(await lockedTimes(tx, by, id), now())
  })
}

export function removePlannedMeeting(
  deps: Deps,
  by: HostActor,
  id: string,
  seen: { updated_at: string } | undefined,
): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const { id: _, updated_at, ...before } = await lockedTimes(tx, by, id)
    requireSeen(updated_at, seen)
    await tx.deleteFrom('planned_meetings').where('id', '=', id).execute()
    await audit(deps, tx, by, { action: 'planned_meeting_removed', target: id, before: inLog(before) })
  })
}

/** Returns when the last meeting ends. */
function requireToCome(times: MeetingTimes, now: number): Date | null {
  const end = endOfAll(times)
  const field = times.weekdays.length > 0 ? 'last_day' : 'first_day'
  if (end === undefined) throw invalidField(field, 'None of the chosen days of the week comes before the last day')
  if (end !== null && end <= now) throw invalidField(field, 'This time has passed. Choose a later day or time')
  return end === null ? null : new Date(end)
}

function requireSeen(updated_at: Date, seen: { updated_at: string } | undefined): void {
  if (seen && updated_at.getTime() !== Date.parse(seen.updated_at))
    throw new AppError('state_changed', 'Someone else has changed this meeting in the meantime. Nothing was saved.')
}

function inWeekOrder(times: MeetingTimes): MeetingTimes {
  return { ...times, weekdays: WEEKDAYS.filter((day) => times.weekdays.includes(day)) }
}

const inLog = ({ weekdays, ...times }: MeetingTimes) => ({ ...times, weekdays: weekdays.join(' ') })

async function lockedTimes(tx: Tx, { host_id }: HostActor, id: string): Promise<StoredTimes> {
  await lockHost(tx, host_id)
  const found = (await readTimes(tx, host_id)).find((times) => times.id === id)
  if (!found) throw notFound('Planned meeting')
  return found
}
