import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from './db.ts'

const FOLDER = new URL('../migrations/', import.meta.url)
/** Any fixed number: nodes that start together wait for one another on it. */
const LOCK = 7_265_110

/** Brings the schema up to date, each migration in a transaction of its own. Forward only; edited ones are refused. */
export async function migrate(db: Db): Promise<string[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  await sql`create table if not exists migrations (name text primary key, digest text not null, at timestamptz not null default now())`.execute(
    db,
  )

  const applied: string[] = []
  for (const name of names) {
    const text = await readFile(new URL(name, FOLDER), 'utf8')
    const digest = createHash('sha256').update(text).digest('hex')
    if (await applyOnce(db, name, text, digest)) applied.push(name)
  }
  return applied
}

async function applyOnce(db: Db, name: string, text: string, digest: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx)
    const { rows } = await sql<{ digest: string }>`select digest from migrations where name = ${name}`.execute(tx)
    if (rows[0]) {
      if (rows[0].digest !== digest) throw new Error(`Migration ${name} was edited after it had been applied`)
      return false
    }
    for (const statement of statementsOf(text)) await sql.raw(statement).execute(tx)
    await sql`insert into migrations (name, digest) values (${name}, ${digest})`.execute(tx)
    return true
  })
}

/** Our migrations hold no functions and no semicolons in strings; the drivers take one statement at a time. */
function statementsOf(text: string): string[] {
  return text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
}
