import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import packageJson from '../../package.json' with { type: 'json' }
import { backoff } from '../../shared/backoff.ts'
import type { Db, Tx } from './client.ts'
import { compareVersions, readInstalledVersion } from './installed-version.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/** Shorter than PostgreSQL's `deadlock_timeout`, after which it would abort one of the two, perhaps the request. */
const LOCK_TIMEOUT = '300ms'
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'
const MAX_ATTEMPTS = 100

export class NewerDatabase extends Error {
  /** `version` is null where the newer release did not write it. */
  constructor(migration: string, version: string | null) {
    const newer = version ? `Parley ${version}` : 'a newer version of Parley'
    super(
      `This database was made by ${newer} (${migration}); this is ${packageJson.version}. ` +
        `Start ${version ?? 'that version'}, or restore a backup.`,
    )
  }
}

export class UnreleasedDatabase extends Error {
  constructor() {
    super(
      'The database was made by a version of Parley from before 0.1.0, whose tables were different. It was not changed. ' +
        'Start with an empty one: set another DATA_DIR, or another DATABASE_URL.',
    )
  }
}

/** A program that updates no schema found one that is not its own. */
export class OtherSchema extends Error {}

export async function requireCurrentSchema(db: Db): Promise<void> {
  const own = Object.keys(await readMigrations(FOLDER))
  const { rows } = await sql<{ is_there: boolean }>`select to_regclass('migrations') is not null as is_there`.execute(
    db,
  )
  const done = rows[0]?.is_there ? (await sql<{ name: string }>`select name from migrations`.execute(db)).rows : []
  const unknown = done.find(({ name }) => !own.includes(name))
  if (unknown) throw await newerDatabase(db, unknown.name)
  if (done.length < own.length)
    throw new OtherSchema('The database is not of this version of Parley yet. Start the server once, then repeat this.')
}

/**
 * Brings the schema up to date with the SQL files of a folder. All missing ones run in one transaction, so a start that
 * fails or is killed changes nothing. Forward only.
 */
export async function migrate(db: Db | Tx, folder: URL = FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const { error, results = [] } = await migrateWhenFree(migratorOf(db, migrations))
  if (!error) return results.map(({ migrationName }) => migrationName)
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  const unknown = rows.find(({ name }) => !(name in migrations))
  if (!unknown) throw error
  throw unknown === rows[0] ? new UnreleasedDatabase() : await newerDatabase(db, unknown.name)
}

/** Brings an empty schema to a migration of an earlier release, or of this one. */
export async function migrateTo(db: Db | Tx, last: string): Promise<void> {
  const migrations = await readMigrations(FOLDER)
  const { error } = await migratorOf(db, migrations).migrateTo(last)
  if (error) throw error
}

export const knownMigrations = async () => Object.keys(await readMigrations(FOLDER)).sort()

function migratorOf(db: Db | Tx, migrations: Record<string, Migration>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  })
}

async function newerDatabase(db: Db | Tx, migration: string): Promise<NewerDatabase> {
  const installed = await readInstalledVersion(db)
  const isNewer = installed !== null && compareVersions(installed, packageJson.version) > 0
  return new NewerDatabase(migration, isNewer ? installed : null)
}

/**
 * Servers of the previous release keep working meanwhile. A migration that holds one table and waits for another may
 * wait for a request that waits for it, so it gives up first, lets the requests pass and retries.
 */
async function migrateWhenFree(migrator: Migrator) {
  for (let attempt = 1; ; attempt++) {
    const result = await migrator.migrateToLatest()
    if (!isInTheWay(result.error) || attempt === MAX_ATTEMPTS) return result
    await delay(backoff(attempt, { first: 20, longest: 500 }))
  }
}

const isInTheWay = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK_DETECTED)

async function readMigrations(folder: URL): Promise<Record<string, Migration>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  const migrations: Record<string, Migration> = {}
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8')
    // The drivers take one statement at a time; `execute` takes several.
    const run = sql`do $migration$ begin
      perform set_config('lock_timeout', ${sql.lit(LOCK_TIMEOUT)}, true);
      execute ${sql.lit(text)};
    end $migration$`
    migrations[name] = { up: async (db) => void (await run.execute(db)) }
  }
  return migrations
}
