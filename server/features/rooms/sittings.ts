import { sql } from 'kysely'
import type { RecordingState } from '../../../shared/rooms.ts'
import type { Db, Tx } from '../../db/client.ts'

/** One sitting of a room's meeting, as Zoom names it. */
export interface Sitting {
  room_id: string
  meeting_id: string
  meeting_uuid: string
  began_at: Date
}

const EPOCH = new Date(0)

/**
 * Of two events the later one counts, in whatever order they arrive; at the same moment the end does. The caller has
 * locked the room's row, since a room sits once at a time.
 */
export async function upsertSitting(tx: Tx, sitting: Sitting, is_live: boolean, at: Date): Promise<void> {
  await tx
    .insertInto('sittings')
    .values({ ...sitting, is_live, live_told_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['room_id', 'meeting_uuid'])
        .doUpdateSet({ is_live, live_told_at: at })
        .where((eb) =>
          eb.or([
            eb('sittings.live_told_at', '<', at),
            eb.and([eb('sittings.live_told_at', '=', at), eb.val(!is_live)]),
          ]),
        ),
    )
    .execute()
  await endOlderSittings(tx, sitting.room_id)
}

/** Inserts a sitting of which it is not known yet whether it runs. */
export async function ensureSitting(tx: Tx, sitting: Sitting): Promise<void> {
  await tx
    .insertInto('sittings')
    .values({ ...sitting, is_live: false, live_told_at: EPOCH })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A sitting is over once a later one of its room has begun, even if its end event was lost. */
async function endOlderSittings(tx: Tx, room_id: string): Promise<void> {
  await sql`
    update sittings as older set is_live = false
    where older.room_id = ${room_id} and older.is_live and exists (
      select from sittings as other
      where other.room_id = older.room_id
        and other.meeting_uuid <> older.meeting_uuid
        and (other.began_at, other.live_told_at) > (older.began_at, older.live_told_at)
    )`.execute(tx)
}

export async function setRecordingState(tx: Tx, sitting: Sitting, recording: RecordingState, at: Date): Promise<void> {
  await tx
    .updateTable('sittings')
    .set({ recording, recording_told_at: at })
    .where('room_id', '=', sitting.room_id)
    .where('meeting_uuid', '=', sitting.meeting_uuid)
    .where((eb) => eb.or([eb('recording_told_at', 'is', null), eb('recording_told_at', '<=', at)]))
    .execute()
}

/** Of a join and a leave at the same moment the leave counts. */
export async function recordPresence(
  tx: Tx,
  sitting: Sitting,
  who: { participant: string; room_user_id: string },
  is_in: boolean,
  at: Date,
): Promise<void> {
  const { room_id, meeting_uuid } = sitting
  await tx
    .insertInto('sitting_people')
    .values({ room_id, meeting_uuid, ...who, is_in, told_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['room_id', 'meeting_uuid', 'participant'])
        .doUpdateSet({ is_in, told_at: at })
        .where((eb) =>
          eb.or([
            eb('sitting_people.told_at', '<', at),
            eb.and([eb('sitting_people.told_at', '=', at), eb.val(!is_in)]),
          ]),
        ),
    )
    .execute()
}

/** A sitting of a meeting that the room no longer has does not count. */
export function findLiveSitting(db: Db | Tx, room_id: string) {
  return db
    .selectFrom('sittings')
    .innerJoin('rooms', 'rooms.id', 'sittings.room_id')
    .selectAll('sittings')
    .whereRef('rooms.zoom_meeting_id', '=', 'sittings.meeting_id')
    .where('rooms.id', '=', room_id)
    .where('is_live', '=', true)
    .orderBy('began_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Ids of room users, and the host's where it is in the meeting. */
export async function listPeopleInMeeting(db: Db | Tx, room_id: string): Promise<Set<string>> {
  const rows = await presences(db, room_id).select('room_user_id').distinct().execute()
  return new Set(rows.map((row) => row.room_user_id))
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
    .where('sitting_people.is_in', '=', true)
}
