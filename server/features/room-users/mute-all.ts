import { sql } from 'kysely'
import type { RoomAct } from '../../../shared/room-act.ts'
import type { Delivery, UndoMuteAll } from '../../../shared/room-users.ts'
import type { HostActor } from '../../db/actor.ts'
import { anyOf } from '../../db/any-of.ts'
import { auditRow } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { recordEffect } from '../../db/idempotent-call.ts'
import { requireOpenSession } from '../../db/open-session.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { isUuid } from '../../lib/uuid.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { muteAllInZoom } from '../seat/mute-all-in-zoom.ts'
import { readLastAct, recordAct, requireNoActSince, roomChanged } from './room-acts.ts'

type MuteAll = {
  active: boolean
  except?: string[] | undefined
  /** Holds for people in Zoom's own app too; the default is the last choice. */
  lock?: boolean | undefined
  /** The flag and the act that the caller saw. */
  expect?: { host_mute_all_active?: boolean | undefined; act?: string | undefined } | undefined
}

/**
 * Sets or clears the room's flag and, by a new round, every user's mute. Users of `except`, and at a Mute All the pinned
 * ones, keep their state: a muted one stays muted.
 */
export async function muteAll(
  deps: Deps,
  by: HostActor,
  { active, except = [], lock, expect }: MuteAll,
): Promise<Delivery & { undo: UndoMuteAll | null; act: string; in_zoom?: number | null }> {
  return deps.rooms.withRoomLock(by.host_id, async () => {
    const room = await deps.rooms.get(by.host_id)
    const excepted = [...new Set(except.map((id) => id.toLowerCase()))]
    const change = { active, excepted, lock, expect }
    const { change_number, open, undo, act } = await deps.db.transaction().execute(async (tx) => {
      await recordEffect(tx)
      return writeMuteAll(deps, tx, room, by, change)
    })
    await deps.rooms.commit(by.host_id, change_number, [
      { type: 'mute-all', active, except: open, act, ...(lock !== undefined && { lock }) },
    ])
    deps.metrics.commands.inc({ action: active ? 'mute-all' : 'unmute-all' })
    const delivery = room.deliveryTo('all users', open)
    const in_zoom = active && deps.config.HOST_SEAT ? await muteAllInZoom(deps, room) : undefined
    return { ...(await delivery), undo, act: act.act, ...(in_zoom !== undefined && { in_zoom }) }
  })
}

async function writeMuteAll(
  deps: Deps,
  tx: Tx,
  room: LiveRoom,
  by: HostActor,
  { active, excepted, lock, expect }: Pick<MuteAll, 'active' | 'lock' | 'expect'> & { excepted: string[] },
): Promise<{ change_number: number; open: string[]; undo: UndoMuteAll | null; act: RoomAct }> {
  const before = await holdRoom(tx, room.id)
  await requireOpenSession(tx, by.session_id) // it may have ended during the wait for the room
  const wasOn = before.host_mute_all_active
  const expected = expect?.host_mute_all_active
  if (expected !== undefined && expected !== wasOn)
    throw roomChanged(
      expected ? 'Mute All has been lifted in the meantime.' : 'Mute All has been pressed in the meantime.',
      await readLastAct(tx, by),
    )
  await requireNoActSince(tx, by, expect?.act)
  const open = active ? await readUnmuted(tx, room.id, excepted) : []
  const { total, muted } = before.change_number === room.changeNumber ? room.counts() : await countUsers(tx, room.id)
  const users_changed = active ? total - muted - open.length : muted
  const isEffective = wasOn !== active || users_changed > 0
  const change = {
    before: { host_mute_all_active: wasOn },
    after: {
      host_mute_all_active: active,
      users_changed,
      ...(lock !== undefined && { lock }),
      ...(open.length > 0 &&
        (deps.listedUsers.tryTake(by.host_id, open.length) ? { except: open } : { users_excepted: open.length })),
    },
  }
  const { change_number, mute_round } = await tx
    .with('changed', (db) =>
      db
        .updateTable('rooms')
        .set((eb) => ({
          host_mute_all_active: active,
          mute_round: eb('mute_round', '+', isEffective ? 1 : 0), // without an effect, an earlier Undo stays valid
          change_number: eb('change_number', '+', 1),
          ...(lock !== undefined && { mute_all_lock: lock }),
        }))
        .where('id', '=', room.id)
        .returning(['mute_round', 'change_number']),
    )
    .with('excepted', (db) =>
      db
        .updateTable('room_users')
        .set({ is_muted: false, mute_round: sql<number>`(select mute_round from changed)` })
        .where('room_id', '=', room.id)
        .where('id', '=', anyOf(open)),
    )
    .with('audited', (db) =>
      db.insertInto('audit').values(auditRow(deps, by, { action: active ? 'mute_all' : 'unmute_all', ...change })),
    )
    .selectFrom('changed')
    .select(['change_number', 'mute_round'])
    .executeTakeFirstOrThrow()
  const act = await recordAct(deps, tx, by, { action: active ? 'mute_all' : 'unmute_all', number: change_number })
  return { change_number, open, act, undo: active && isEffective ? { mute_round, host_mute_all_active: wasOn } : null }
}

/** Blocks other changes of the room until this transaction ends. */
function holdRoom(tx: Tx, room_id: string) {
  return tx
    .selectFrom('rooms')
    .select(['host_mute_all_active', 'change_number'])
    .where('id', '=', room_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Counts in the database, for when this server has not yet applied a commit of another one. */
function countUsers(tx: Tx, room_id: string) {
  return tx
    .selectFrom('room_users')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where ${IS_MUTED}))::int`.as('muted'),
    ])
    .where('rooms.id', '=', room_id)
    .executeTakeFirstOrThrow()
}

/** A user's own mute is valid until the next Mute All or Unmute All of the room. */
const IS_MUTED = sql<boolean>`case when room_users.mute_round = rooms.mute_round
  then room_users.is_muted else rooms.host_mute_all_active end`

/** Returns those of these users, and of the pinned ones, who are not muted. Call while the room is held. */
async function readUnmuted(tx: Tx, room_id: string, ids: string[]): Promise<string[]> {
  if (!ids.every(isUuid)) throw notFound('User')
  const users = await tx
    .selectFrom('room_users')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .select(['room_users.id', IS_MUTED.as('is_muted')])
    .where('rooms.id', '=', room_id)
    .where((eb) => eb.or([eb('is_pinned', '=', true), eb('room_users.id', '=', anyOf(ids))]))
    .execute()
  const found = new Set(users.map(({ id }) => id))
  if (!ids.every((id) => found.has(id))) throw notFound('User')
  return users.filter(({ is_muted }) => !is_muted).map(({ id }) => id)
}
