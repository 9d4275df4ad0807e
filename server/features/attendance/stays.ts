import { sql } from 'kysely'
import { PRESENCE_LEASE_MS } from '../../../shared/room-events.ts'
import type { Db, Tx } from '../../db/client.ts'

export interface PresenceChange {
  room_id: string
  room_user_id: string
  user_id: string
  username: string
  is_online: boolean
  at: Date
}

/** Writes changes of different users and this node's heartbeat in one transaction. */
export async function writePresenceChanges(db: Db, changes: PresenceChange[], node: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const joins = changes.filter(({ is_online }) => is_online)
    const leaves = changes.filter(({ is_online }) => !is_online)
    if (joins.length > 0) await beginStays(tx, joins)
    if (leaves.length > 0) await endStays(tx, leaves)
    if (joins.length > 0) await recordHeartbeat(tx, node, now)
  })
}

/**
 * Resumes the last stay of a user who is back within the lease: a dropped connection or a restart makes no second
 * visit. Writes nothing for a deleted host.
 */
async function beginStays(tx: Tx, joins: PresenceChange[]): Promise<void> {
  const lease = sql`make_interval(secs => ${sql.lit(PRESENCE_LEASE_MS / 1000)})`
  await sql`
    with joins as (
      select changes.* from json_to_recordset(${JSON.stringify(joins)}::json)
        as changes (room_id uuid, room_user_id uuid, user_id text, username text, at timestamptz)
      join rooms on rooms.id = changes.room_id
      join hosts on hosts.id = rooms.host_id and hosts.deleted_at is null
    ), resumed as (
      update stays set left_at = null
      from joins
      where stays.id = (
          select id from stays as latest where latest.room_user_id = joins.room_user_id
          order by joined_at desc limit 1
        )
        and stays.left_at >= joins.at - ${lease}
      returning stays.room_user_id
    )
    insert into stays (room_id, room_user_id, user_id, username, joined_at)
    select room_id, room_user_id, user_id, username, at from joins
    where room_user_id not in (select room_user_id from resumed)
    on conflict (room_user_id) where left_at is null do nothing`.execute(tx)
}

async function endStays(tx: Tx, leaves: PresenceChange[]): Promise<void> {
  const changes = JSON.stringify(leaves.map(({ room_user_id, at }) => ({ room_user_id, at })))
  await sql`
    update stays set left_at = greatest(joined_at, changes.at)
    from json_to_recordset(${changes}::json) as changes (room_user_id uuid, at timestamptz)
    where stays.room_user_id = changes.room_user_id and left_at is null`.execute(tx)
}

export async function recordHeartbeat(db: Db | Tx, node: string, last_heartbeat_at: Date): Promise<void> {
  await db
    .insertInto('nodes')
    .values({ id: node, last_heartbeat_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ last_heartbeat_at }))
    .execute()
}

export async function deleteNode(db: Db | Tx, node: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', node).execute()
}

/** Counts the other servers with a recent heartbeat. */
async function countOtherNodes(db: Db | Tx, node: string, since: Date | null): Promise<number> {
  if (!since) return 0
  const others = db.selectFrom('nodes').where('id', '!=', node).where('last_heartbeat_at', '>', since)
  const { count } = await others.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** Serialises servers that join or leave. */
async function lockNodes(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('parley nodes'))`.execute(tx)
}

/** Closes the stays that killed servers left open, at their last heartbeat, unless other servers run. */
export async function joinNodes(db: Db, node: string, since: Date | null, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockNodes(tx)
    if ((await countOtherNodes(tx, node, since)) === 0) await closeOrphanedStays(tx, now)
    if (since) await recordHeartbeat(tx, node, now)
  })
}

/** Ends the stays of everyone if this is the last server to leave. */
export async function leaveNodes(db: Db, node: string, since: Date | null, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockNodes(tx)
    await deleteNode(tx, node)
    if ((await countOtherNodes(tx, node, since)) > 0) return
    await tx
      .updateTable('stays')
      .set({ left_at: sql<Date>`greatest(joined_at, ${now})` })
      .where('left_at', 'is', null)
      .execute()
  })
}

export async function findHostsWithOpenStays(db: Db): Promise<string[]> {
  const open = db.selectFrom('stays').select('room_id').where('left_at', 'is', null)
  const hosts = await db.selectFrom('rooms').select('host_id').where('id', 'in', open).execute()
  return hosts.map(({ host_id }) => host_id)
}

/** Lists the users of a room whose stays are open. */
export async function readOpenStays(db: Db, room_id: string): Promise<{ room_user_id: string; joined_at: Date }[]> {
  return db
    .selectFrom('stays')
    .select(['room_user_id', 'joined_at'])
    .where('room_id', '=', room_id)
    .where('left_at', 'is', null)
    .execute()
}

/** Closes the stays that a killed server left open, at its last heartbeat. */
async function closeOrphanedStays(db: Tx, now: Date): Promise<void> {
  const last = db.selectFrom('nodes').select((eb) => eb.fn.max('last_heartbeat_at').as('last'))
  await db
    .updateTable('stays')
    .set({ left_at: sql<Date>`greatest(joined_at, least(${now}, coalesce(${last}, joined_at)))` })
    .where('left_at', 'is', null)
    .execute()
  await db.deleteFrom('nodes').execute()
}
