import { sql } from 'kysely'
import { PRESENCE_LEASE_MS } from '../../../shared/room-events.ts'
import type { Db, Tx } from '../../db/client.ts'

/** A phone came online, or went offline. */
export interface Move {
  room_id: string
  room_user_id: string
  user_id: string
  username: string
  is_online: boolean
  at: Date
}

/** Writes moves of different users, and that this node lives; all of it or nothing. */
export async function writeMoves(db: Db, moves: Move[], node: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const arrivals = moves.filter((move) => move.is_online)
    const leavings = moves.filter((move) => !move.is_online)
    if (arrivals.length > 0) await beginStays(tx, arrivals)
    if (leavings.length > 0) await endStays(tx, leavings)
    if (arrivals.length > 0) await beat(tx, node, now)
  })
}

/**
 * Who is back within the lease goes on with the last stay: a dropped connection or a restart makes no second visit. A
 * stay that is open already goes on too. Of a host that is deleted or gone by now nothing is written.
 */
async function beginStays(tx: Tx, arrivals: Move[]): Promise<void> {
  const lease = sql`make_interval(secs => ${sql.lit(PRESENCE_LEASE_MS / 1000)})`
  await sql`
    with arrivals as (
      select told.* from json_to_recordset(${JSON.stringify(arrivals)}::json)
        as told (room_id uuid, room_user_id uuid, user_id text, username text, at timestamptz)
      join rooms on rooms.id = told.room_id
      join hosts on hosts.id = rooms.host_id and hosts.deleted_at is null
    ), resumed as (
      update stays set left_at = null
      from arrivals
      where stays.id = (
          select id from stays as latest where latest.room_user_id = arrivals.room_user_id
          order by joined_at desc limit 1
        )
        and stays.left_at >= arrivals.at - ${lease}
      returning stays.room_user_id
    )
    insert into stays (room_id, room_user_id, user_id, username, joined_at)
    select room_id, room_user_id, user_id, username, at from arrivals
    where room_user_id not in (select room_user_id from resumed)
    on conflict (room_user_id) where left_at is null do nothing`.execute(tx)
}

async function endStays(tx: Tx, leavings: Move[]): Promise<void> {
  const told = JSON.stringify(leavings.map(({ room_user_id, at }) => ({ room_user_id, at })))
  await sql`
    update stays set left_at = greatest(joined_at, told.at)
    from json_to_recordset(${told}::json) as told (room_user_id uuid, at timestamptz)
    where stays.room_user_id = told.room_user_id and left_at is null`.execute(tx)
}

export async function beat(db: Db | Tx, node: string, seen_at: Date): Promise<void> {
  await db
    .insertInto('nodes')
    .values({ id: node, seen_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at }))
    .execute()
}

export async function forgetNode(db: Db, node: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', node).execute()
}

/** Closes the stays that a killed server left open, at its last sign of life. */
export async function closeOrphanedStays(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const last = tx.selectFrom('nodes').select((eb) => eb.fn.max('seen_at').as('last'))
    await tx
      .updateTable('stays')
      .set({ left_at: sql<Date>`greatest(joined_at, least(${now}, coalesce(${last}, joined_at)))` })
      .where('left_at', 'is', null)
      .execute()
    await tx.deleteFrom('nodes').execute()
  })
}
