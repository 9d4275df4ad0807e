import { type ExpressionBuilder, sql } from 'kysely'
import type { RecordingState } from '../../../shared/rooms.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'

/** A sitting of a room's meeting, identified as at Zoom. */
export interface Sitting {
  room_id: string
  meeting_id: string
  meeting_uuid: string
  began_at: Date
  /** Zoom's start time; null if unknown. */
  started_at: Date | null
}

const EPOCH = new Date(0)

/**
 * The later of two events wins, in any order of arrival; at the same moment the end does. The caller has locked the
 * room's row, since a room has one sitting at a time.
 */
export async function upsertSitting(tx: Tx, sitting: Sitting, is_live: boolean, at: Date): Promise<void> {
  await tx
    .insertInto('sittings')
    .values({ ...sitting, is_live, live_reported_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['room_id', 'meeting_uuid'])
        .doUpdateSet({
          is_live,
          live_reported_at: at,
          started_at: sql`coalesce(sittings.started_at, excluded.started_at)`,
        })
        .where((eb) =>
          eb.or([
            eb('sittings.live_reported_at', '<', at),
            eb.and([eb('sittings.live_reported_at', '=', at), eb.val(!is_live)]),
          ]),
        ),
    )
    .execute()
  await endOlderSittings(tx, sitting.room_id)
}

/** Inserts a sitting whose state is not known yet. */
export async function ensureSitting(tx: Tx, sitting: Sitting): Promise<void> {
  await tx
    .insertInto('sittings')
    .values({ ...sitting, is_live: false, live_reported_at: EPOCH })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Ends a sitting once a later one of its room has begun, even if its end event was lost. */
async function endOlderSittings(tx: Tx, room_id: string): Promise<void> {
  await sql`
    update sittings as older set is_live = false
    where older.room_id = ${room_id} and older.is_live and exists (
      select from sittings as other
      where other.room_id = older.room_id
        and other.meeting_uuid <> older.meeting_uuid
        and (other.began_at, other.live_reported_at) > (older.began_at, older.live_reported_at)
    )`.execute(tx)
}

/** Ends the running sitting unless it had a newer event. Returns true if it ended one. */
export async function endSittings(db: Db | Tx, room_id: string, before: Date): Promise<boolean> {
  const ended = await db
    .updateTable('sittings')
    .set({ is_live: false, live_reported_at: sql<Date>`greatest(live_reported_at, ${before})` })
    .where('room_id', '=', room_id)
    .where('is_live', '=', true)
    .where('live_reported_at', '<=', before)
    .returning('meeting_uuid')
    .execute()
  return ended.length > 0
}

export async function setRecordingState(tx: Tx, sitting: Sitting, recording: RecordingState, at: Date): Promise<void> {
  await changeRecording(tx, sitting, recording, at)
    .set({ recording_reported_at: at })
    .where((eb) => eb.or([eb('recording_reported_at', 'is', null), eb('recording_reported_at', '<=', at)]))
    .execute()
}

/** Keeps the recording's elapsed time: a pause stops it, and a new recording starts at zero. */
export function changeRecording(
  db: Db | Tx,
  { room_id, meeting_uuid }: Pick<Sitting, 'room_id' | 'meeting_uuid'>,
  recording: RecordingState,
  at: Date,
) {
  const stretch = sql<number>`greatest(0, extract(epoch from ${at}::timestamptz - recording_since) * 1000)::integer`
  const soFar = sql<number>`recorded_ms + coalesce(${stretch}, 0)`
  return db
    .updateTable('sittings')
    .set(
      recording === 'recording'
        ? {
            recording,
            recording_since: sql<Date>`case when recording = 'recording' then recording_since else ${at}::timestamptz end`,
            recorded_ms: sql<number>`case when recording = 'none' then 0 else recorded_ms end`,
          }
        : { recording, recording_since: null, recorded_ms: soFar },
    )
    .where('room_id', '=', room_id)
    .where('meeting_uuid', '=', meeting_uuid)
}

/** The later of two events wins, in any order of arrival; at the same moment the leave does. */
export async function recordPresence(
  tx: Tx,
  sitting: Sitting,
  who: { participant: string; room_user_id: string },
  is_present: boolean,
  at: Date,
): Promise<void> {
  const { room_id, meeting_uuid } = sitting
  await tx
    .insertInto('sitting_people')
    .values({ room_id, meeting_uuid, ...who, is_present, join_reported: is_present, reported_at: at })
    .onConflict((conflict) =>
      conflict.columns(['room_id', 'meeting_uuid', 'participant']).doUpdateSet({
        is_present: sql`case
          when sitting_people.reported_at < excluded.reported_at then excluded.is_present
          when sitting_people.reported_at = excluded.reported_at then sitting_people.is_present and excluded.is_present
          else sitting_people.is_present end`,
        join_reported: sql`sitting_people.join_reported or excluded.join_reported`,
        reported_at: sql`greatest(sitting_people.reported_at, excluded.reported_at)`,
      }),
    )
    .execute()
}

export function findLiveSitting(db: Db | Tx, room_id: string) {
  return liveSitting(db, room_id).executeTakeFirst()
}

/** Ignores sittings of a meeting that the room no longer has. */
export function liveSitting(db: Db | Tx, room_id: string) {
  return db
    .selectFrom('sittings')
    .innerJoin('rooms', 'rooms.id', 'sittings.room_id')
    .selectAll('sittings')
    .whereRef('rooms.zoom_meeting_id', '=', 'sittings.meeting_id')
    .where('rooms.id', '=', room_id)
    .where('is_live', '=', true)
    .orderBy('began_at', 'desc')
    .limit(1)
}

/** Lists ids of room users, and the host's id if it is in the meeting. */
export async function listPeopleInMeeting(db: Db | Tx, room_id: string): Promise<Set<string>> {
  const rows = await presences(db, room_id).select('room_user_id').distinct().execute()
  return new Set(rows.map((row) => row.room_user_id))
}

/** Counts the users in a sitting, without the host. */
export function usersInMeeting(eb: ExpressionBuilder<Tables, 'sittings'>, host_id: string) {
  return eb
    .selectFrom('sitting_people')
    .select((people) => people.fn.count<string>('room_user_id').distinct().as('count'))
    .whereRef('sitting_people.room_id', '=', 'sittings.room_id')
    .whereRef('sitting_people.meeting_uuid', '=', 'sittings.meeting_uuid')
    .where('is_present', '=', true)
    .where('room_user_id', '<>', host_id)
}

export async function isInMeeting(db: Db | Tx, room_id: string, room_user_id: string): Promise<boolean> {
  const row = await presences(db, room_id)
    .select('room_user_id')
    .where('room_user_id', '=', room_user_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function presences(db: Db | Tx, room_id: string) {
  return db
    .selectFrom('sitting_people')
    .innerJoin('sittings', (join) =>
      join
        .onRef('sittings.room_id', '=', 'sitting_people.room_id')
        .onRef('sittings.meeting_uuid', '=', 'sitting_people.meeting_uuid'),
    )
    .innerJoin('rooms', 'rooms.id', 'sittings.room_id')
    .whereRef('rooms.zoom_meeting_id', '=', 'sittings.meeting_id')
    .where('rooms.id', '=', room_id)
    .where('sittings.is_live', '=', true)
    .where('sitting_people.is_present', '=', true)
}
