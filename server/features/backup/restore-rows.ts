import { sql } from 'kysely'
import { SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { requireUpdatable } from '../../db/installed-version.ts'
import { migrate, migrateTo } from '../../db/migrate.ts'
import { secretsFrom } from '../../lib/secrets.ts'
import type { BackupManifest } from './backup-format.ts'
import type { CopyableDatabase } from './copyable-database.ts'
import { type BackupEntry, type CheckedBackup, NotRestored, readWhole, tableIn, unpackPart } from './read-backup.ts'
import { reencryptSecrets } from './stored-secrets.ts'
import { RowDigest, wholeLines } from './table-lines.ts'

export interface RestoredRows {
  zoomHosts: number
  unreadableSecrets: number
}

interface Options {
  file: string
  backup: CheckedBackup
  entries: AsyncIterable<BackupEntry>
  /** The key of the installation that is restored into. */
  ownKey: string
  onFile(path: string, body: AsyncGenerator<Uint8Array>): Promise<void>
}

/** Fills an empty schema from a checked backup, and makes it one with which a server of this release can start. */
export async function restoreRows(database: CopyableDatabase, options: Options): Promise<RestoredRows> {
  const { backup, file, ownKey } = options
  const { db } = database
  const { tables, sequences } = backup.manifest
  await migrateTo(db, backup.about.migrations.at(-1) ?? '')
  for (const { name } of tables) {
    const { rows } = await sql<{ is_empty: boolean }>`
      select not exists (select from ${sql.table(name)}) as is_empty`.execute(db)
    if (!rows[0]?.is_empty) await sql`delete from ${sql.table(name)}`.execute(db) // what a migration inserted
  }
  await importEntries(database, options)
  for (const table of tables) await requireSameRows(database, table, file)
  await setSequences(db, sequences)
  await tryInsert(database)
  await setSequences(db, sequences)
  await requireUpdatable(db)
  await migrate(db)
  const { unreadable } = await moveSecrets(db, options)
  return { zoomHosts: await endWhatWasOpen(db, backup, ownKey), unreadableSecrets: unreadable }
}

async function importEntries(database: CopyableDatabase, { file, backup, entries, onFile }: Options): Promise<void> {
  const columns = new Map(backup.manifest.tables.map((table) => [table.name, table.columns]))
  for await (const { name, body } of entries) {
    const table = tableIn(name)
    if (table !== null) {
      const rows = new Uint8Array(await unpackPart(await readWhole(body)))
      const known = columns.get(table)
      if (!known) throw new NotRestored(`${file} is damaged at ${name}`)
      await database.copyIn(table, known, rows)
    } else if (name.startsWith('files/')) await onFile(name.slice('files/'.length), body)
    else for await (const _ of body);
  }
}

/** Compares the rows with the backup, and so shows that the file was the same at its second reading. */
async function requireSameRows(
  database: CopyableDatabase,
  { name, columns, rows, digest }: BackupManifest['tables'][number],
  file: string,
): Promise<void> {
  const found = new RowDigest()
  for await (const lines of wholeLines(database.copyOut(name, columns))) found.add(lines)
  if (found.rows !== rows || String(found) !== digest)
    throw new NotRestored(`${file} came out otherwise than it went in at ${name}`)
}

/** A number that a deleted row had is not given again, so a sequence may be further than its column. */
async function setSequences(db: Db | Tx, sequences: BackupManifest['sequences']): Promise<void> {
  for (const { table, column, last } of sequences) {
    const used = sql`(select max(${sql.ref(column)})::bigint from ${sql.table(table)})`
    const reached = sql`greatest(${last}::bigint, ${used})`
    await sql`
      select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(${reached}, 1), ${reached} is not null)`.execute(
      db,
    )
  }
}

/** Shows that rows can be added, then takes them back. */
async function tryInsert({ db, engine }: CopyableDatabase): Promise<void> {
  const [begin, rollback] =
    engine === 'pglite' ? ['begin', 'rollback'] : ['savepoint attempt', 'rollback to savepoint attempt']
  await sql.raw(begin).execute(db)
  await sql`insert into audit (actor_role, action) values ('system', 'system_restored')`.execute(db)
  await sql`
    insert into hosts (username, username_key, email, email_key, password_hash)
    values ('', gen_random_uuid()::text, '', gen_random_uuid()::text, '')`.execute(db)
  await sql.raw(rollback).execute(db)
}

async function moveSecrets(db: Db | Tx, { file, backup, ownKey }: Options) {
  const own = secretsFrom(ownKey)
  const count = await reencryptSecrets(db, secretsFrom(backup.key ?? ownKey), own)
  if (backup.key === null && count.unreadable > 0)
    throw new NotRestored(`${file} holds no key, and its secrets are under another one than this installation's`)
  return count
}

/** Returns how many hosts have a Zoom account. */
async function endWhatWasOpen(db: Db | Tx, backup: CheckedBackup, ownKey: string): Promise<number> {
  const now = Date.now
  const { about, manifest, key, rows } = backup
  await db
    .updateTable('sessions')
    .set({ ended_at: new Date(now()), end_reason: 'restored' })
    .where('ended_at', 'is', null)
    .execute()
  if (key !== null && key !== ownKey) await db.deleteFrom('known_devices').execute() // hashes under the other key
  await db.updateTable('installation').set({ id: sql`gen_random_uuid()` }).execute()
  const after = {
    made_at: about.made_at,
    version: about.version,
    tables: manifest.tables.length,
    rows,
    files: manifest.files,
  }
  await audit({ now }, db, { ...SYSTEM, command: 'restore' }, { action: 'system_restored', after })
  const links = await db
    .selectFrom('zoom_links')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirst()
  return Number(links?.count ?? 0)
}
