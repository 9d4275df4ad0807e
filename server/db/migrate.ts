import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db, Tx } from './client.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/** Any fixed number: nodes that start together wait for one another on it. */
const LOCK = 7_265_110

/** The database was made by another version of this migration. */
export class EditedMigration extends Error {
  constructor(name: string) {
    super(
      `Migration ${name} is not the one that made this database; use the version of Parley that did, or another DATA_DIR.`,
    )
  }
}

/**
 * Brings the schema up to date, each migration in a transaction of its own, so that a start that is killed leaves whole
 * ones only, and the next start goes on from there. Forward only; edited ones are refused.
 */
export async function migrate(db: Db, folder: URL = FOLDER): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const known = await db.transaction().execute(async (tx) => {
    await waitForOthers(tx)
    await sql`create table if not exists migrations (name text primary key, digest text not null, at timestamptz not null default now())`.execute(
      tx,
    )
    const { rows } = await sql<{ name: string; digest: string }>`select name, digest from migrations`.execute(tx)
    return new Map(rows.map(({ name, digest }) => [name, digest]))
  })

  const applied: string[] = []
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8')
    const digest = createHash('sha256').update(text).digest('hex')
    const held = known.get(name)
    if (held !== undefined && held !== digest) throw new EditedMigration(name)
    if (held === undefined && (await applyOnce(db, name, text, digest))) applied.push(name)
  }
  return applied
}

async function applyOnce(db: Db, name: string, text: string, digest: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await waitForOthers(tx)
    const { rows } = await sql`select from migrations where name = ${name}`.execute(tx)
    if (rows[0]) return false // by a node that started together with this one
    for (const statement of statementsOf(text)) await sql.raw(statement).execute(tx)
    await sql`insert into migrations (name, digest) values (${name}, ${digest})`.execute(tx)
    return true
  })
}

async function waitForOthers(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx)
}

/** A comment, a string, the body of a function, or what stands between them. */
const PIECES = /--.*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^-'$;]+|[\s\S]/g

/** Cut at the semicolons that end a statement: the drivers take one at a time. */
export function statementsOf(text: string): string[] {
  const statements = ['']
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === ';') statements.push('')
    else if (!piece.startsWith('--')) statements.push((statements.pop() ?? '') + piece)
  }
  return statements.map((statement) => statement.trim()).filter(Boolean)
}
