import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { DatabaseDamaged, type Db, openFolder, type Tx } from '../client.ts'
import { findBadPage } from './page-check.ts'
import { hasGap, liveSegments } from './write-ahead-log.ts'

/**
 * Opens a database folder, and looks at all of it. Throws DatabaseDamaged, which says what is wrong with it. `say` is
 * told of what is lost though the database is sound.
 */
export async function openChecked(folder: string, say: (line: string) => void = () => {}): Promise<Db> {
  for (const name of ['PG_VERSION', 'global/pg_control', 'pg_wal']) {
    // Without the first, PGlite would take the folder for a new one, and write an empty database into it.
    if (!existsSync(join(folder, name))) throw new DatabaseDamaged(`${name} is missing`)
  }
  const hear = (line: string) => {
    // Where a killed process stopped writing, PostgreSQL finds nothing; where the disk did, it may find half a change.
    if (!line.includes('incorrect resource manager data checksum in record')) return
    say('The end of the write-ahead log is damaged: the last changes before the server stopped may be lost.')
  }
  if (isCutOff(folder)) throw new DatabaseDamaged('a part of the write-ahead log is missing')
  const db = await openFolder(folder, { hear })
  try {
    const fault = await findFault(db, folder)
    if (fault) throw new DatabaseDamaged(fault)
    return db
  } catch (error) {
    await db.destroy().catch(() => {})
    throw error instanceof DatabaseDamaged ? error : new DatabaseDamaged(messageOf(error), { cause: error })
  }
}

function isCutOff(folder: string): boolean {
  try {
    return hasGap(liveSegments(folder))
  } catch {
    return false // PostgreSQL says better what is wrong with its control file
  }
}

async function findFault(db: Db, folder: string): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ lsn: string }>`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as lsn`.execute(tx)
    return (
      findBadPage(folder, BigInt(rows[0]?.lsn ?? 0)) ?? (await findMissingFile(tx, folder)) ?? (await findLostRows(tx))
    )
  })
}

async function findMissingFile(tx: Tx, folder: string): Promise<string | null> {
  const { rows } = await sql<{ name: string; path: string; is_index: boolean }>`
    select oid::regclass::text as name, pg_relation_filepath(oid) as path, relkind = 'i' as is_index
    from pg_class where relkind in ('r', 'i', 't', 'm', 'S')`.execute(tx)
  for (const { name, path, is_index } of rows) {
    const size = statSync(join(folder, path), { throwIfNoEntry: false })?.size
    if (size === undefined) return `the file of ${name} is missing`
    if (is_index && size === 0) return `the file of ${name} is empty`
  }
  return null
}

/**
 * A table that was cut off between two pages looks whole, only shorter; but its index still knows the rows. So each
 * table is counted both ways.
 */
async function findLostRows(tx: Tx): Promise<string | null> {
  const { rows: tables } = await sql<{ name: string }>`
    select distinct indrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and indisunique and indpred is null`.execute(tx)
  const names = tables.map(({ name }) => name)
  if (names.length === 0) return null
  const byTable = await countRows(tx, names, 'by table')
  const byIndex = await countRows(tx, names, 'by index')
  const cut = names.find((name) => byTable.get(name) !== byIndex.get(name))
  return cut ? `${cut} has ${byTable.get(cut)} rows, and its index ${byIndex.get(cut)}` : null
}

async function countRows(tx: Tx, names: string[], how: 'by table' | 'by index'): Promise<Map<string, string>> {
  const [table, index] = how === 'by table' ? ['on', 'off'] : ['off', 'on']
  await sql`select set_config('enable_seqscan', ${table}, true), set_config('enable_bitmapscan', 'off', true),
    set_config('enable_indexscan', ${index}, true), set_config('enable_indexonlyscan', ${index}, true)`.execute(tx)
  const counts = names.map((name) => sql`select ${sql.lit(name)} as name, count(*)::text as rows from ${sql.raw(name)}`)
  const { rows } = await sql<{ name: string; rows: string }>`${sql.join(counts, sql` union all `)}`.execute(tx)
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
