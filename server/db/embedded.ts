import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PGlite } from '@electric-sql/pglite'
import { PGliteDialect, sql } from 'kysely'
import { z } from 'zod'
import { type Db, openDatabase } from './client.ts'
import { replaceDatabase, restoringIn } from './replace-database.ts'
import { listSnapshots, readSnapshot, removeUnfinishedSnapshots, timeInName } from './snapshot-files.ts'

/** The message is PostgreSQL's own reason. */
class DatabaseDamaged extends Error {}

/** The database does not open, and no snapshot may replace it unasked. The message is one line for the operator. */
export class CannotOpenDatabase extends Error {}

/** Tables of what lets somebody in once, and of mails that were sent since. docs/deploy.md empties the same ones of a restored dump. */
const WORK_ONCE = [
  'mails',
  'sign_in_links',
  'account_links',
  'sign_in_challenges',
  'phone_requests',
  'oauth_states',
  'oauth_results',
] as const

/**
 * Stays, and is printed. Voiding recovery codes too would lock out who has lost the phone, and helps little, since
 * passwords and removed factors revert with them.
 */
const REVERTED =
  'Passwords, second factors and recovery codes are those of that time: what was changed, removed or used since is valid again.'

/** Begins a line of PostgreSQL's log. What a user typed stands behind another word, such as DETAIL, or after a tab. */
const PROBLEM = /^[\d-]+ [\d:.]+ \S+ \[\d+\] (PANIC|FATAL|ERROR): +(.+)/
const NO_ROOM = /No space left on device|Disk quota exceeded/

interface Options {
  /** True if `--restore-snapshot` was given. */
  restore: boolean
  print(line: string): void
  /** Called if the open database fails for good; the next query would never return. PostgreSQL's own process ends then. */
  onPanic(reason: string): void
}

/**
 * Opens the embedded database of a data folder whose lock the caller holds; creates it if there never was one. A
 * damaged database is never deleted, and replaced only if `restore` is set.
 */
export async function openEmbedded(dataDir: string, { restore, print, onPanic }: Options): Promise<Db> {
  const folder = join(dataDir, 'pglite')
  await removeUnfinishedSnapshots(dataDir)
  await replaceDatabase(dataDir)
  await rm(restoringIn(dataDir), { recursive: true, force: true }) // of a killed run
  // Existing snapshots prove that there was a database, which an empty one must not replace.
  if (isEmpty(folder) && (await listSnapshots(dataDir)).length === 0) await createDatabase(folder)
  try {
    const db = await openChecked(folder, { onPanic })
    if (restore) print(`The database in ${dataDir} opens, so no snapshot was restored.`)
    return db
  } catch (error) {
    if (!(error instanceof DatabaseDamaged)) throw error
    const problem = `The database in ${dataDir} cannot be opened (${error.message}).`
    if (NO_ROOM.test(error.message)) throw new CannotOpenDatabase(`${problem} Make room on its disk, and start again.`)
    if (!restore) throw new CannotOpenDatabase(`${problem} ${await restoreHint(dataDir)}`)
    const { db, takenAt, kept } = await restoreSnapshot(dataDir, problem, onPanic)
    const keptAs = kept ? ` The damaged database was kept as ${kept}.` : ''
    print(`${problem} Restored the snapshot of ${shown(takenAt)}.${keptAs}`)
    print(REVERTED)
    return db
  }
}

interface FolderOptions {
  loadDataDir?: Blob
  onPanic?: Options['onPanic']
}

/** Opens a database folder without checking its contents. */
export async function openFolder(folder: string, options: FolderOptions = {}): Promise<Db> {
  const pglite = await openPglite(folder, options)
  return openDatabase(new PGliteDialect({ pglite }))
}

/** Opens the same for what Kysely does not offer. */
export async function openPglite(folder: string, { loadDataDir, onPanic }: FolderOptions = {}): Promise<PGlite> {
  let reason = ''
  let isOpen = false
  const onStderr = (line: string) => {
    const [, severity, problem] = line.match(PROBLEM) ?? []
    reason = problem ?? reason
    if (isOpen && severity === 'PANIC') onPanic?.(reason)
    return false
  }
  const { PGlite } = await import('@electric-sql/pglite') // takes 5 MB, which a server on PostgreSQL does not need
  try {
    const pglite = await PGlite.create({ dataDir: folder, onStderr, ...(loadDataDir && { loadDataDir }) })
    isOpen = true
    return pglite
  } catch (error) {
    throw new DatabaseDamaged(reason || (error instanceof Error ? error.message : String(error)), { cause: error })
  }
}

async function openChecked(folder: string, options: FolderOptions): Promise<Db> {
  // PGlite would write a new, empty database into a folder without this file.
  if (!options.loadDataDir && !existsSync(join(folder, 'PG_VERSION')))
    throw new DatabaseDamaged('PG_VERSION is missing')
  const db = await openFolder(folder, options)
  try {
    await readEveryTable(db)
    return db
  } catch (error) {
    await db.destroy().catch(() => {})
    throw new DatabaseDamaged(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Verifies all pages: PostgreSQL compares a page with its checksum only when it reads it, perhaps after weeks. */
export async function readEveryTable(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select format('%I', tablename) as name from pg_tables where schemaname = 'public'`.execute(db)
  // Counting rows by `one` reads the table itself; `count(*)` may be answered by an index.
  const counts = rows.map(({ name }) => sql`select count(one) from ${sql.raw(name)} as one`)
  if (counts.length > 0) await sql`${sql.join(counts, sql` union all `)}`.execute(db)
}

async function restoreHint(dataDir: string): Promise<string> {
  const [newest] = await listSnapshots(dataDir)
  if (!newest) return 'There is no snapshot of it; its files were left as they are.'
  const flag = 'start with --restore-snapshot (npm start -- --restore-snapshot)'
  return `To restore the snapshot of ${shown(newest.takenAt)}, ${flag}; what was changed after it is lost.`
}

/** Unpacks the newest snapshot that opens next to the damaged database, then moves the damaged one aside. */
async function restoreSnapshot(dataDir: string, problem: string, onPanic: Options['onPanic']) {
  const folder = join(dataDir, 'pglite')
  const restored = `${folder}.restored`
  for (const { path, takenAt } of await listSnapshots(dataDir)) {
    await rm(restored, { recursive: true, force: true })
    const db = await readSnapshot(path)
      .then((loadDataDir) => openChecked(restored, { loadDataDir }))
      .catch(() => null)
    if (!db) continue
    await endWhatWasOpen(db) // before the next start could take it for the database
    await db.destroy()
    await chmod(restored, 0o700)
    const kept = isEmpty(folder) ? null : `${folder}.damaged-${timeInName(new Date())}`
    if (kept) await rename(folder, kept)
    else await rm(folder, { recursive: true, force: true })
    await rename(restored, folder)
    return { db: await openFolder(folder, { onPanic }), takenAt, kept: kept && basename(kept) }
  }
  await rm(restored, { recursive: true, force: true })
  throw new CannotOpenDatabase(`${problem} There is no snapshot of it that opens; its files were left as they are.`)
}

/** The snapshot may hold sessions that have ended since, passwords that have changed, and links that were used. */
async function endWhatWasOpen(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const names = new Set(rows.map(({ name }) => name)) // the snapshot may be of a release without some of them
  if (names.has('sessions'))
    await sql`update sessions set ended_at = now(), end_reason = 'restored' where ended_at is null`.execute(db)
  for (const name of WORK_ONCE) if (names.has(name)) await sql`delete from ${sql.table(name)}`.execute(db)
}

/**
 * Creates an empty database, whole or not at all. PGlite takes about 3 s for that, so the first one is cached next to
 * the installed packages and copied from then on.
 */
export async function createDatabase(folder: string): Promise<void> {
  const image = imagePath()
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  if (existsSync(image)) await cp(image, unfinished, { recursive: true })
  else {
    await mkdir(unfinished, { recursive: true, mode: 0o700 }) // PGlite would make it readable to everyone
    await (await openFolder(unfinished)).destroy()
    const unfinishedImage = `${image}.${process.pid}` // another start may be making the same one
    await cp(unfinished, unfinishedImage, { recursive: true })
      .then(() => rename(unfinishedImage, image))
      .catch(() => rm(unfinishedImage, { recursive: true, force: true }).catch(() => {})) // the folder may be read-only
  }
  await rename(unfinished, folder)
}

function imagePath(): string {
  const packages = new URL('../../node_modules/', import.meta.url)
  const manifest = readFileSync(new URL('@electric-sql/pglite/package.json', packages), 'utf8')
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest))
  return fileURLToPath(new URL(`.cache/parley/empty-database-${version}`, packages))
}

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0
}

const shown = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
