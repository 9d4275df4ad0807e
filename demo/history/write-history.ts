import { sql } from 'kysely'
import { auditRow } from '../../server/db/audit-log.ts'
import type { Db } from '../../server/db/client.ts'
import type { HistoryUser, RoomHistory } from './room-history.ts'

const ROWS_AT_ONCE = 2_000
const DAY_MS = 86_400_000

type HistoryTable = 'sittings' | 'stays' | 'speeches' | 'raised_hands' | 'audit'
type HistoryRoom = { host_id: string; room_id: string; meeting_id: string }

/**
 * Writes a history into the database of a room, whole or not at all: nothing if its first meeting is there. Users become
 * older than their first meeting, since a meeting misses only users who existed.
 */
export async function writeHistory(db: Db, room: HistoryRoom, history: RoomHistory): Promise<void> {
  const { room_id, host_id, meeting_id } = room
  const [first] = history.meetings
  if (!first) return
  await db.transaction().execute(async (tx) => {
    const there = await tx
      .selectFrom('sittings')
      .select('meeting_uuid')
      .where('room_id', '=', room_id)
      .where('meeting_uuid', '=', first.uuid)
      .executeTakeFirst()
    if (there) return
    const rows = (table: HistoryTable, all: readonly object[]) => insertInParts(tx, table, all)
    await rows(
      'sittings',
      history.meetings.map(({ uuid, began_at, minutes, note = null }) => ({
        ...{ room_id, meeting_id, meeting_uuid: uuid, is_live: false, note },
        ...{ began_at: new Date(began_at), started_at: new Date(began_at) },
        live_reported_at: new Date(began_at + minutes * 60_000),
      })),
    )
    await rows(
      'stays',
      history.stays.map(({ user, from, to }) => ({
        ...{ room_id, room_user_id: user.id, user_id: user.user_id, username: user.username },
        ...{ joined_at: new Date(from), left_at: new Date(to) },
      })),
    )
    await rows(
      'speeches',
      history.speeches.map(({ user, from, to }) => ({
        ...{ room_id, room_user_id: user.id, began_at: new Date(from), ended_at: new Date(to) },
      })),
    )
    await rows(
      'raised_hands',
      history.hands.map(({ user, meeting, from, to }) => ({
        ...{ room_id, meeting_uuid: meeting.uuid, room_user_id: user.id },
        ...{ raised_at: new Date(from), ended_at: new Date(to) },
      })),
    )
    const by = { role: 'host' as const, id: host_id, host_id, ip: null, session_id: null }
    await rows(
      'audit',
      history.acts.map(({ action, user, at }) => {
        const target = action === 'mute_all' ? room_id : user.id
        return auditRow({ now: () => at }, by, { action, target })
      }),
    )
    await ageUsers(tx, history.users, new Date(first.began_at - 7 * DAY_MS))
  })
}

async function ageUsers(db: Db, users: readonly HistoryUser[], created_at: Date): Promise<void> {
  if (users.length === 0) return
  await db
    .updateTable('room_users')
    .set({ created_at })
    .where(
      'id',
      'in',
      users.map(({ id }) => id),
    )
    .where('created_at', '>', created_at)
    .execute()
}

async function insertInParts(db: Db, table: HistoryTable, rows: readonly object[]) {
  const [first] = rows
  if (!first) return
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const part = JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE))
    await sql`insert into ${sql.table(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${part}::json)`.execute(db)
  }
}
