import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { type Actor, regardlessOfSession } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { filesIn } from '../../lib/files-in.ts'
import { deleteTranscripts } from '../recordings/transcripts/delete-transcripts.ts'

const BATCH_SIZE = 2_000
/** Folders of DATA_DIR that may hold a folder per host, named by its id. */
const FOLDERS = ['archive', 'logos']
const OWN_LOGO = /^\/logos\/[\w.-]+$/

/**
 * Removes a deleted host's files, personal data in the audit, and rows. `purge_started_at` is written first and every step can
 * be repeated, so that an interrupted purge is resumed.
 */
export async function purgeHost(deps: Deps, id: string, by: Actor): Promise<void> {
  await begin(deps, id, by)
  const files = await removeHostFiles(deps, id)
  await inBatches(() => deps.db.transaction().execute((tx) => emptyAudit(tx, id)))
  for (const table of ['stays', 'speeches'] as const) await inBatches(() => deleteOfRooms(deps, table, id))
  await deleteTranscripts(deps.db, sql`room_id in (select id from rooms where host_id = ${id})`)
  await deps.db.transaction().execute((tx) => removeRows(deps, tx, id, regardlessOfSession(by), files))
}

async function begin(deps: Deps, id: string, by: Actor): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const host = await tx.selectFrom('hosts').select('deleted_at').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!host) throw notFound('Host')
    if (!host.deleted_at) throw new AppError('conflict', 'Only a deleted host can be purged. Delete it first.')
    await tx
      .updateTable('hosts')
      .set({ purge_started_at: new Date(deps.now()) })
      .where('id', '=', id)
      .execute()
    if (by.role !== 'system') await audit(deps, tx, by, { host_id: id, action: 'host_purge_asked', target: id })
  })
}

/** Keeps action, time and ids. Removes the before and after states, and IP addresses except those of masters. */
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
        .limit(BATCH_SIZE),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

async function deleteOfRooms({ db }: Deps, table: 'stays' | 'speeches', id: string): Promise<number> {
  const rooms = db.selectFrom('rooms').select('id').where('host_id', '=', id)
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('id', 'in', (eb) => eb.selectFrom(table).select('id').where('room_id', 'in', rooms).limit(BATCH_SIZE))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function inBatches(step: () => Promise<number>): Promise<void> {
  while ((await step()) === BATCH_SIZE);
}

/** Ignores missing files. Returns the number of files on record. */
async function removeHostFiles(deps: Deps, host_id: string): Promise<number> {
  const { DATA_DIR } = deps.config
  const files = [...(await archivedFiles(deps, host_id)), ...(await ownLogo(deps, host_id))]
  for (const file of files) await rm(file, { force: true })
  for (const folder of FOLDERS) await rm(join(DATA_DIR, folder, host_id), { recursive: true, force: true })
  return files.length
}

async function archivedFiles({ db, config }: Deps, host_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('recordings')
    .innerJoin('rooms', 'rooms.id', 'recordings.room_id')
    .select('archived_path')
    .where('rooms.host_id', '=', host_id)
    .where('archived_path', 'is not', null)
    .execute()
  return filesIn(
    config,
    rows.map(({ archived_path }) => archived_path ?? ''),
  )
}

/** Returns the path of the host's uploaded logo, unless another host shows it too. */
async function ownLogo({ db, config }: Deps, host_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('app_info')
    .select(['logo_url', 'host_id'])
    .where('logo_url', '=', (eb) => eb.selectFrom('app_info').select('logo_url').where('host_id', '=', host_id))
    .execute()
  const logo = rows.length === 1 ? (rows[0]?.logo_url ?? '') : ''
  const name = basename(logo)
  return OWN_LOGO.test(logo) && !name.startsWith('.') ? [join(config.DATA_DIR, 'logos', name)] : []
}

/** Deletes the host's row, and with it the rows that refer to it. */
async function removeRows(deps: Deps, tx: Tx, id: string, by: Actor, files: number): Promise<void> {
  const people = sql<string>`(select room_users.id::text from room_users join rooms on rooms.id = room_id where host_id = ${id} union all select id::text from assistants where host_id = ${id} union all select ${id})`
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
  if (!host) return // purged by another node
  const after = { deleted_at: host.deleted_at, room_users: count, files }
  await audit(deps, tx, by, { host_id: id, action: 'host_purged', target: id, after })
}
