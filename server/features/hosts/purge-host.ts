import { sql } from 'kysely'
import { type AuditActor, audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { removeHostFiles } from './host-files.ts'

const ROWS_AT_ONCE = 2_000

/**
 * Removes all that is left of a deleted host: its files, then what its people left in the audit, then its rows. Each
 * step may be repeated and `purging_at` is written first, so that a purge that is cut off is taken up by the next.
 */
export async function purgeHost(deps: Deps, id: string, by: AuditActor): Promise<void> {
  await begin(deps, id, by)
  const files = await removeHostFiles(deps, id)
  await inBatches(() => deps.db.transaction().execute((tx) => emptyAudit(tx, id)))
  await inBatches(() => deleteStays(deps, id))
  await deps.db.transaction().execute((tx) => removeRows(deps, tx, id, by, files))
}

async function begin(deps: Deps, id: string, by: AuditActor): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const host = await tx.selectFrom('hosts').select('deleted_at').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!host) throw new AppError('not_found', 'Host not found')
    if (!host.deleted_at) throw new AppError('conflict', 'Only a deleted host can be purged. Delete it first.')
    await tx
      .updateTable('hosts')
      .set({ purging_at: new Date(deps.now()) })
      .where('id', '=', id)
      .execute()
    if (by.actor_role !== 'system')
      await audit(deps, tx, { ...by, host_id: id, action: 'host_purge_asked', target: id })
  })
}

/** That something was done, when, and by which id remains; names, addresses and what it was go. Masters stay known. */
async function emptyAudit(tx: Tx, id: string): Promise<number> {
  await sql`select set_config('parley.purging_host', ${id}, true)`.execute(tx)
  const { numUpdatedRows } = await tx
    .updateTable('audit')
    .set({ before: null, after: null, ip: sql`case when actor_role = 'master' then ip end` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('audit')
        .select('id')
        .where('host_id', '=', id)
        .where((or) =>
          or.or([
            or('before', 'is not', null),
            or('after', 'is not', null),
            or.and([or('ip', 'is not', null), or('actor_role', '!=', 'master')]),
          ]),
        )
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

async function deleteStays({ db }: Deps, id: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('stays')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('stays')
        .innerJoin('rooms', 'rooms.id', 'stays.room_id')
        .select('stays.id')
        .where('rooms.host_id', '=', id)
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function inBatches(step: () => Promise<number>): Promise<void> {
  while ((await step()) === ROWS_AT_ONCE);
}

/** The host's row takes with it what refers to it. */
async function removeRows(deps: Deps, tx: Tx, id: string, by: AuditActor, files: number): Promise<void> {
  const people = sql<string>`(select room_users.id::text from room_users join rooms on rooms.id = room_id where host_id = ${id} union all select ${id})`
  await sql`delete from idempotency_keys where split_part(scope, ' ', 1) in ${people}`.execute(tx)
  const email = tx.selectFrom('hosts').select('email_key').where('id', '=', id)
  await tx.deleteFrom('oauth_results').where('email_key', '=', email).execute()
  const { count } = await tx
    .selectFrom('room_users')
    .innerJoin('rooms', 'rooms.id', 'room_users.room_id')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('host_id', '=', id)
    .executeTakeFirstOrThrow()
  const host = await tx.deleteFrom('hosts').where('id', '=', id).returning('deleted_at').executeTakeFirst()
  if (!host) return // another node was faster
  const after = { deleted_at: host.deleted_at, room_users: count, files }
  await audit(deps, tx, { ...by, host_id: id, action: 'host_purged', target: id, after })
}
