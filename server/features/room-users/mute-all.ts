import { sql } from 'kysely'
import type { Delivery, UndoMuteAll } from '../../../shared/room-users.ts'
import { auditRow, byHost } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { recordWith } from '../../db/idempotent-call.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { isUuid } from '../../lib/uuid.ts'
import type { SignedInHost } from '../auth/guards.ts'
import type { LiveRoom } from '../live-room/live-room.ts'

type MuteAll = {
  active: boolean
  except?: string[] | undefined
  /** The flag as it was seen. */
  expected?: boolean | undefined
}

/**
 * Sets or clears the room's flag, and with a new round every user's mute. One statement, since a whole room waits for
 * it. Users of `except` stay as they are: none of them is unmuted by it.
 */
export async function muteAll(
  deps: Deps,
  host: SignedInHost,
  { active, except = [], expected }: MuteAll,
  ip: string,
): Promise<Delivery & { undo: UndoMuteAll | null }> {
  return deps.rooms.withRoomLock(host.host_id, async () => {
    const room = await deps.rooms.of(host.host_id)
    const excepted = [...new Set(except.map((id) => id.toLowerCase()))]
    const change = { active, excepted, expected, ip }
    const isRead = excepted.length > 0 || expected !== undefined
    const { change_number, open, undo } = await recordWith(deps.db, (db) =>
      isRead && !db.isTransaction
        ? db.transaction().execute((tx) => writeMuteAll(deps, tx, room, host, change))
        : writeMuteAll(deps, db, room, host, change),
    )
    await deps.rooms.commit(host.host_id, change_number, [{ type: 'mute-all', active, except: open }])
    return { ...(await room.deliveryTo('all users', open)), undo }
  })
}

async function writeMuteAll(
  deps: Deps,
  db: Db | Tx,
  room: LiveRoom,
  host: SignedInHost,
  {
    active,
    excepted,
    expected,
    ip,
  }: { active: boolean; excepted: string[]; expected: boolean | undefined; ip: string },
): Promise<{ change_number: number; open: string[]; undo: UndoMuteAll | null }> {
  if (expected !== undefined) await requireFlag(db, room.id, expected)
  const open = excepted.length > 0 ? await readUnmuted(db, room.id, excepted) : []
  const { total, muted } = room.counts()
  const wasOn = room.hostMuteAll
  const users_changed = active ? total - muted - open.length : muted
  const change = {
    before: { host_mute_all_active: wasOn },
    after: {
      host_mute_all_active: active,
      users_changed,
      ...(open.length > 0 && { except: open }),
    },
  }
  const { change_number, mute_round } = await db
    .with('changed', (db) =>
      db
        .updateTable('rooms')
        .set((eb) => ({
          host_mute_all_active: active,
          mute_round: eb('mute_round', '+', 1),
          change_number: eb('change_number', '+', 1),
        }))
        .where('id', '=', room.id)
        .returning(['mute_round', 'change_number']),
    )
    .with('excepted', (db) =>
      db
        .updateTable('room_users')
        .set({ is_muted: false, mute_round: sql<number>`(select mute_round from changed)` })
        .where('room_id', '=', room.id)
        .where((eb) => (open.length > 0 ? eb('id', 'in', open) : eb.lit(false))),
    )
    .with('audited', (db) =>
      db
        .insertInto('audit')
        .values(auditRow(deps, { ...byHost(host, ip), action: active ? 'mute_all' : 'unmute_all', ...change })),
    )
    .selectFrom('changed')
    .select(['change_number', 'mute_round'])
    .executeTakeFirstOrThrow()
  const isUndoable = active && (!wasOn || users_changed > 0)
  return { change_number, open, undo: isUndoable ? { mute_round, host_mute_all_active: wasOn } : null }
}

/** Holds the room's row, so that the flag stays as it was seen until it is written. */
async function requireFlag(db: Db | Tx, room_id: string, expected: boolean): Promise<void> {
  const room = await db
    .selectFrom('rooms')
    .select('host_mute_all_active')
    .where('id', '=', room_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (room.host_mute_all_active !== expected)
    throw new AppError(
      'state_changed',
      expected ? 'Mute All has been lifted in the meantime.' : 'Mute All has been pressed in the meantime.',
    )
}

/** Those of these users that are not muted, once no other change of the room is under way. */
async function readUnmuted(tx: Db | Tx, room_id: string, ids: string[]): Promise<string[]> {
  if (!ids.every(isUuid)) throw notFound('User')
  await tx.selectFrom('rooms').select('id').where('id', '=', room_id).forUpdate().execute()
  const users = await tx
    .selectFrom('room_users')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .select(['room_users.id', 'room_users.is_muted', 'room_users.mute_round'])
    .select(['rooms.mute_round as round', 'rooms.host_mute_all_active'])
    .where('rooms.id', '=', room_id)
    .where('room_users.id', 'in', ids)
    .execute()
  if (users.length < ids.length) throw notFound('User')
  const isMuted = (user: (typeof users)[number]) =>
    user.mute_round === user.round ? user.is_muted : user.host_mute_all_active
  return users.filter((user) => !isMuted(user)).map(({ id }) => id)
}
