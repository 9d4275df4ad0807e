import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { type Driver, PGliteDialect, sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { type Db, openDatabase, openPostgres } from '../../server/db/client.ts'

const DEADLOCK = '40P01' // PostgreSQL's error code

/** Opens an empty, migrated database on the engine of this run. */
export async function freshDatabase(): Promise<Db> {
  const origin = inject('database')
  return 'image' in origin ? onPGlite(origin.image) : onPostgres(origin)
}

/** Idle embedded databases: emptying one is far faster than creating one. */
const unused: PGlite[] = []

async function onPGlite(image: string): Promise<Db> {
  const used = unused.pop()
  const pglite = used ?? (await PGlite.create({ loadDataDir: new Blob([await readFile(image)]) }))
  const db = openDatabase(new ReturningDialect({ pglite }))
  if (used) await truncateAll(db)
  return db
}

/** Returns the database to the pool when it is closed. */
class ReturningDialect extends PGliteDialect {
  readonly #pglite: PGlite

  constructor({ pglite }: { pglite: PGlite }) {
    super({ pglite })
    this.#pglite = pglite
  }

  override createDriver(): Driver {
    return Object.assign(super.createDriver(), { destroy: async () => void unused.push(this.#pglite) })
  }
}

/** Removes dead rows, which accumulate over a whole run. */
async function truncateAll(db: Db): Promise<void> {
  await sql`do $$
    begin
      set local session_replication_role = replica; -- not the audit's own guard
      execute (
        select 'truncate ' || string_agg(format('%I', tablename), ', ') || ' restart identity'
        from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'installation')
      );
    end $$`.execute(db)
}

async function onPostgres({ server, template }: { server: string; template: string }): Promise<Db> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return openPostgres(url.href)
}

/**
 * Empties every table. Deleting is far faster than truncating while tables have only a few rows. Owners go first: this
 * waits for pending writes that refer to them, and later ones fail. Retries after a deadlock.
 */
export async function deleteAllRows(db: Db): Promise<void> {
  try {
    await sql`do $$
      declare name text;
      begin
        set local session_replication_role = replica; -- neither foreign keys nor the audit's own guard
        delete from masters;
        delete from hosts;
        for name in
          select tablename from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'installation')
        loop
          execute format('delete from %I', name);
        end loop;
        perform setval('hosts_numerical_id_seq', 1, false);
      end $$`.execute(db)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === DEADLOCK)) throw error
    await deleteAllRows(db)
  }
}
