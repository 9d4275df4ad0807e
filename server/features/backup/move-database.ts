import { SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { migrate, requireCurrentSchema } from '../../db/migrate.ts'
import { ALL_TABLES } from './backup-tables.ts'
import { type CopyableDatabase, inCopyablePostgres } from './copyable-database.ts'
import { columnsOf, digestTable, emptyTables, makeWritable, sequencesOf } from './filled-tables.ts'
import { dropOwnTables, isEmptySchema } from './own-tables.ts'
import { RowDigest, wholeLines } from './table-lines.ts'

/** A database that is not moved. Nothing has changed. */
export class NotMoved extends Error {}

interface Moved {
  tables: number
  rows: number
  /** False where PostgreSQL held the same rows before. */
  isNew: boolean
}

/** Except for the row that a move adds. */
const conditionOf = (table: string) => (table === 'audit' ? "action <> 'moved_to_postgres'" : 'true')

/**
 * Copies every row to an empty database at `url`, compares each table with its digest there, and commits all of it at once.
 * Sessions, links and leases go along: it stays the same installation. Throws NotMoved where `url` holds other rows.
 */
export async function moveDatabase(source: CopyableDatabase, url: string): Promise<Moved> {
  return inCopyablePostgres(url, 'read write', async (target) => {
    if (!(await isEmptySchema(target.db))) return { ...(await requireSame(source, target)), isNew: false }
    await dropOwnTables(target.db)
    await migrate(target.db)
    await emptyTables(target.db, ALL_TABLES)
    let rows = 0
    for (const table of ALL_TABLES) rows += await copyTable(source, target, table)
    await makeWritable(target, await sequencesOf(source.db, ALL_TABLES))
    const tables = ALL_TABLES.length
    const by = { ...SYSTEM, command: 'move-to-postgres' }
    await audit({ now: Date.now }, target.db, by, { action: 'moved_to_postgres', after: { tables, rows } })
    return { tables, rows, isNew: true }
  })
}

/** Returns how many rows there are. */
async function copyTable(source: CopyableDatabase, target: CopyableDatabase, table: string): Promise<number> {
  const columns = await columnsOf(source.db, table)
  const sent = new RowDigest()
  for await (const lines of wholeLines(source.copyOut(table, columns))) {
    sent.add(lines)
    await target.copyIn(table, columns, lines)
  }
  const found = await digestTable(target, table, columns)
  if (found.rows !== sent.rows || String(found) !== String(sent))
    throw new NotMoved(`the table ${table} came out of PostgreSQL otherwise than it went in`)
  return sent.rows
}

interface Difference {
  table: string
  here: number
  there: number
}

async function requireSame(
  source: CopyableDatabase,
  target: CopyableDatabase,
): Promise<{ tables: number; rows: number }> {
  await requireCurrentSchema(target.db)
  const different: Difference[] = []
  let rows = 0
  for (const table of ALL_TABLES) {
    const columns = await columnsOf(source.db, table)
    const here = await digestTable(source, table, columns, conditionOf(table))
    const there = await digestTable(target, table, columns, conditionOf(table))
    rows += here.rows
    if (String(here) !== String(there)) different.push({ table, here: here.rows, there: there.rows })
  }
  if (different.length === 0) return { tables: ALL_TABLES.length, rows }
  throw new NotMoved(`PostgreSQL holds other data (${describe(different)})`)
}

/** Names one table, by which an operator recognises the data: that of the hosts where their number differs. */
function describe(different: Difference[]): string {
  const counted = different.filter(({ here, there }) => here !== there)
  const [first] = [...counted.filter(({ table }) => table === 'hosts'), ...counted, ...different]
  if (!first) return ''
  const { table, here, there } = first
  return `${table}: ${here} here, ${there} there${here === there ? ', but not the same' : ''}`
}
