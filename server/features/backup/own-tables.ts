import { sql } from 'kysely'
import type { Db, Tx } from '../../db/client.ts'
import { knownMigrations } from '../../db/migrate.ts'
import { ALL_TABLES } from './backup-tables.ts'

const OURS = [...ALL_TABLES, 'migrations', 'migrations_lock']

/** Another program has tables of the same names. */
export class ForeignTables extends Error {}

/** Returns true where nobody has used the schema. Throws ForeignTables. */
export async function isEmptySchema(db: Db | Tx): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
  const present = new Set(rows.map(({ name }) => name))
  const ours = OURS.filter((name) => present.has(name))
  if (ours.length === 0) return true
  const [first = ''] = await knownMigrations()
  const isOurs =
    present.has('migrations') &&
    (await sql`select from migrations where name = ${first}`.execute(db).catch(() => ({ rows: [] }))).rows.length > 0
  if (!isOurs)
    throw new ForeignTables(`the database at DATABASE_URL has tables of another program (${ours.join(', ')})`)
  const { rows: found } = await sql<{ is_used: boolean }>`
    select exists (select from masters) or exists (select from hosts) as is_used`.execute(db)
  return !found[0]?.is_used
}

/** Fails, and so changes nothing, where something of another program depends on them. */
export async function dropOwnTables(db: Db | Tx): Promise<void> {
  await sql`set local lock_timeout = '10s'`.execute(db)
  await sql`drop table if exists ${sql.join(OURS.map((name) => sql.table(name)))}`.execute(db)
  await sql`drop function if exists refuse_audit_change, audit_user_ids, audit_without_user`.execute(db)
}
