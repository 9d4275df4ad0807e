import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { backoff } from '../lib/backoff.ts'
import type { Db } from './client.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/** An arbitrary fixed number, which Parley's own migration runner used before Kysely's replaced it. */
const LOCK = 7_265_110
/** Shorter than PostgreSQL's `deadlock_timeout`, after which it would abort one of the two, perhaps the request. */
const LOCK_TIMEOUT = '300ms'
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'
const MAX_ATTEMPTS = 100

export class NewerDatabase extends Error {
  constructor(name: string) {
    super(`The database was made by a newer version of Parley (${name}); use that version, or another DATA_DIR.`)
  }
}

/**
 * Brings the schema up to date with the SQL files of a folder. All missing ones run in one transaction, so a start that
 * fails or is killed changes nothing. Forward only.
 */
export async function migrate(db: Db, folder: URL = FOLDER): Promise<string[]> {
  await adoptOldTable(db)
  const migrations = await readMigrations(folder)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  })
  const { error, results = [] } = await migrateWhenFree(migrator)
  if (!error) return results.map(({ migrationName }) => migrationName)
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  const unknown = rows.find(({ name }) => !(name in migrations))
  throw unknown ? new NewerDatabase(unknown.name) : error
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

/** Until November 2026 the table of applied migrations had other columns than Kysely's: (name, digest, at). */
async function adoptOldTable(db: Db): Promise<void> {
  await sql`do $$ begin
    perform pg_advisory_xact_lock(${sql.lit(LOCK)});
    if exists (select from pg_attribute where attrelid = to_regclass('migrations') and attname = 'digest' and not attisdropped) then
      alter table migrations drop column digest;
      alter table migrations alter column at drop default;
      alter table migrations alter column at type varchar(255)
        using to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
      alter table migrations rename column at to "timestamp";
    end if;
  end $$`.execute(db)
}
