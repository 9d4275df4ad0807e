import { sql } from 'kysely'
import type { Db, Tx } from '../../db/client.ts'
import type { BackupSequence } from './backup-format.ts'
import type { CopyableDatabase } from './copyable-database.ts'
import { RowDigest, wholeLines } from './table-lines.ts'

/** Removes what migrations have inserted. */
export async function emptyTables(db: Db | Tx, tables: string[]): Promise<void> {
  for (const name of tables) {
    const { rows } = await sql<{ is_empty: boolean }>`
      select not exists (select from ${sql.table(name)}) as is_empty`.execute(db)
    if (!rows[0]?.is_empty) await sql`delete from ${sql.table(name)}`.execute(db)
  }
}

export async function digestTable(
  database: CopyableDatabase,
  table: string,
  columns: string[],
  condition?: string,
): Promise<RowDigest> {
  const digest = new RowDigest()
  for await (const lines of wholeLines(database.copyOut(table, columns, condition))) digest.add(lines)
  return digest
}

/** Lists what can be written, in the order of the table. */
export async function columnsOf(db: Db | Tx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'
    order by ordinal_position`.execute(db)
  return rows.map(({ name }) => name)
}

export async function sequencesOf(db: Db | Tx, tables: string[]): Promise<BackupSequence[]> {
  const { rows } = await sql<{ table: string; column: string; last: string | null }>`
    select table_name as "table", column_name as "column", (
      select last_value::text from pg_sequences
      where format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence(format('%I', table_name), column_name)
    ) as last
    from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(db)
  const known = new Set(tables)
  return rows
    .filter(({ table }) => known.has(table))
    .map(({ last, ...rest }) => ({ ...rest, last: last === null ? null : Number(last) }))
}

/** Lets the sequences go on, and shows that rows can be added; takes those back. */
export async function makeWritable(database: CopyableDatabase, sequences: BackupSequence[]): Promise<void> {
  await setSequences(database.db, sequences)
  await tryInsert(database)
  await setSequences(database.db, sequences)
}

/** A number that a deleted row had is not given again, so a sequence may be further than its column. */
async function setSequences(db: Db | Tx, sequences: BackupSequence[]): Promise<void> {
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
