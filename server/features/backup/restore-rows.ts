import { sql } from 'kysely'
import { SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { recordKey } from '../../db/installation-key.ts'
import { requireUpdatable } from '../../db/installed-version.ts'
import { migrate, migrateTo } from '../../db/migrate.ts'
import { secretsFrom } from '../../lib/secrets.ts'
import type { BackupManifest } from './backup-format.ts'
import type { CopyableDatabase } from './copyable-database.ts'
import { digestTable, emptyTables, makeWritable } from './filled-tables.ts'
import { type BackupEntry, type CheckedBackup, NotRestored, readWhole, tableIn, unpackPart } from './read-backup.ts'
import { reencryptSecrets } from './stored-secrets.ts'

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
  await emptyTables(
    db,
    tables.map(({ name }) => name),
  )
  await importEntries(database, options)
  for (const table of tables) await requireSameRows(database, table, file)
  await makeWritable(database, sequences)
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
  const found = await digestTable(database, name, columns)
  if (found.rows !== rows || String(found) !== digest)
    throw new NotRestored(`${file} came out otherwise than it went in at ${name}`)
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
  await recordKey(db, secretsFrom(ownKey))
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
