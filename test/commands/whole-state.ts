import { hash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../server/db/client.ts'
import { ALL_TABLES } from '../../server/features/backup/backup-tables.ts'
import { sequencesOf } from '../../server/features/backup/filled-tables.ts'
import { listFiles } from '../../server/features/backup/stored-files.ts'
import { readSecrets } from '../../server/features/backup/stored-secrets.ts'
import { secretsFrom } from '../../server/lib/secrets.ts'
import { inDatabaseOf, rowsIn } from '../processes/backup-world.ts'
import type { Env } from './installations.ts'

/** Digests of all that an installation has. Null for one without a database, or with an empty one. */
export type WholeState = Awaited<ReturnType<typeof readWhole>> | null

const TIME = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00:00|Z)"/g
const CIPHERTEXT = /("\w+_ciphertext": )"[^"]*"/g

/**
 * Reads every row, stored secret, sequence and file. Times after `since`, the ids of audit rows from then on, and ciphertexts
 * are left out, so that two runs of a command give the same. An embedded database is read from a copy, as the next start
 * would find it.
 */
export async function wholeState(env: Env, since: number): Promise<WholeState> {
  const { DATA_DIR = '', DATABASE_URL } = env
  if (DATABASE_URL) return inDatabaseOf(env, (db) => readOrNull(db, env, since))
  if (!['pglite', 'pglite.next'].some((name) => existsSync(join(DATA_DIR, name)))) return null
  const copy = join(tmpdir(), `parley-state-${randomBytes(6).toString('hex')}`)
  try {
    await cp(DATA_DIR, copy, { recursive: true, filter: (path) => !/\.replaced-|\.sock$|snapshots\/./.test(path) })
    return await inDatabaseOf({ DATA_DIR: copy }, (db) => readOrNull(db, { ...env, DATA_DIR: copy }, since))
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function readOrNull(db: Db, env: Env, since: number): Promise<WholeState> {
  const { rows } = await sql`select from pg_tables where schemaname = 'public' and tablename = 'hosts'`.execute(db)
  return rows.length === 0 ? null : readWhole(db, env, since)
}

async function readWhole(db: Db, env: Env, since: number) {
  const tables: Record<string, string> = {}
  for (const [table, all] of Object.entries(await rowsIn(db, ALL_TABLES))) {
    const rows = all.filter((row) => !isNote(table, row)).map((row) => masked(table, row, since))
    tables[table] = `${rows.length} ${hash('sha256', rows.sort().join('\n'))}`
  }
  return { tables, files: await filesOf(db, env), secrets: await secretsOf(db, env), sequences: await numbersOf(db) }
}

/** The row that follows a backup or an export, and is missing where the command is killed before it. */
const isNote = (table: string, row: string) =>
  table === 'audit' && /"action": "(backup_made|backup_failed|person_exported)"/.test(row)

function masked(table: string, row: string, since: number): string {
  const withoutTimes = row.replaceAll(TIME, (time) => (Date.parse(time.slice(1, -1)) >= since ? '"NOW"' : time))
  const text = withoutTimes.replaceAll(CIPHERTEXT, '$1""').replace(/"(under|key_id)": (null|"[^"]*")/, '"$1": ""')
  const isAdded = table === 'audit' && text.includes('"NOW"')
  return isAdded || table === 'installation'
    ? text.replace(/"id": "[^"]*"/, '"id": ""').replace(/"seq": \d+/, '"seq": 0')
    : text
}

/** Reads the files that the database names. */
async function filesOf(db: Db, { DATA_DIR = '' }: Env): Promise<Record<string, string>> {
  const paths = (await listFiles(db)).map(({ path }) => path)
  const digestOf = (path: string) => (existsSync(path) ? hash('sha256', readFileSync(path)) : 'missing')
  return Object.fromEntries(paths.map((path) => [path, digestOf(join(DATA_DIR, path))]))
}

/** Reads the secrets with that key of the installation which opens them: while a change is unfinished, either may. */
async function secretsOf(db: Db, { DATA_DIR = '', SECRET_KEY }: Env) {
  const files = ['secret.key.new', ...(SECRET_KEY ? [] : ['secret.key'])].map((name) => join(DATA_DIR, name))
  const keys = files.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8').trim())
  const found = []
  for (const key of [...(SECRET_KEY ? [SECRET_KEY] : []), ...keys]) found.push(await readSecrets(db, secretsFrom(key)))
  return found.toSorted((a, b) => a.unreadable - b.unreadable)[0] ?? null
}

async function numbersOf(db: Db): Promise<string[]> {
  const sequences = await sequencesOf(db, ALL_TABLES)
  return sequences
    .filter(({ table }) => table !== 'audit')
    .map(({ table, column, last }) => `${table}.${column} ${last}`)
}
