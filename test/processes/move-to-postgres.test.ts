import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hash as argon2 } from '@node-rs/argon2'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_TABLES } from '../../server/features/backup/backup-tables.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import {
  type DataFolder,
  emptyDataFolder,
  http,
  MASTER,
  runServerToItsEnd,
  signInMaster,
  startServerProcess,
} from '../servers/server-process.ts'
import { contentsOf, emptyDatabase, fill, inDatabaseOf, runCommand } from './backup-world.ts'

type Env = Record<string, string>

let out: DataFolder
let postgres: TestPostgres
let filled: string
beforeAll(async () => {
  ;[out, postgres] = await Promise.all([emptyDataFolder(), startPostgres()])
  filled = join(out.path, 'filled')
  await mkdir(filled)
  await fill({ DATA_DIR: filled })
  const account = { email: MASTER.email, email_key: MASTER.email, password_hash: await argon2(MASTER.password) }
  await inDatabaseOf({ DATA_DIR: filled }, (db) => db.updateTable('masters').set(account).execute())
})
afterAll(async () => {
  await Promise.all([out.remove(), postgres.stop()])
})

let made = 0
/** A folder of the embedded database, and an empty database for it. */
async function installation(): Promise<{ from: Env; to: Env }> {
  const DATA_DIR = join(out.path, `data-${++made}`)
  await cp(filled, DATA_DIR, { recursive: true })
  const DATABASE_URL = await emptyDatabase(postgres.urlOf)
  const SECRET_KEY_FILE = join(DATA_DIR, 'secret.key')
  return { from: { DATA_DIR }, to: { DATA_DIR, DATABASE_URL, SECRET_KEY_FILE, ZOOM_DEMO: 'true' } }
}

const move = (env: Env, ...args: string[]) => runCommand('move-to-postgres', env, ...args)

/** Every row of every table, and the number that each sequence gave last. */
async function everythingIn(env: Env) {
  const contents = await contentsOf(env, ALL_TABLES)
  return { ...contents, audit: contents.audit?.filter((row) => !row.includes('"moved_to_postgres"')) }
}

const countOf = (contents: object) => Object.values(contents).reduce((sum, rows) => sum + rows.length, 0)

test('moves every row to PostgreSQL, where a server goes on, and marks the folder', async () => {
  const { from, to } = await installation()
  const { DATA_DIR = '' } = from
  const server = await startServerProcess(from)
  const token = await signInMaster(server)
  await server.kill('SIGTERM')
  const before = await everythingIn(from)
  const moved = await move(to)
  const figures = `${ALL_TABLES.length} tables, ${countOf(before)} rows`
  expect(moved).toEqual({ code: 0, out: `Moved to PostgreSQL: ${figures}, all equal.\n`, err: '' })
  expect(await everythingIn(to)).toEqual(before)
  await inDatabaseOf(to, async (db) => {
    const audit = db.selectFrom('audit').select(['actor_role', 'after']).where('action', '=', 'moved_to_postgres')
    expect(await audit.execute()).toMatchObject([
      { actor_role: 'system', after: { command: 'move-to-postgres', tables: ALL_TABLES.length } },
    ])
  })

  expect(await move(to)).toEqual({ code: 0, out: `Nothing to do: PostgreSQL holds the same ${figures}.\n`, err: '' })
  const { moved_at } = JSON.parse(readFileSync(join(DATA_DIR, 'moved.json'), 'utf8'))
  const refusal = `DATA_DIR was moved to PostgreSQL on ${moved_at.slice(0, 16).replace('T', ' ')} UTC; set DATABASE_URL, or delete DATA_DIR/moved.json to go back.\n`
  expect(await runServerToItsEnd(from)).toEqual({ code: 1, output: refusal })
  expect(await runCommand('master', from, 'list')).toEqual({ code: 1, out: '', err: refusal })

  const after = await startServerProcess(to)
  const made = await http(after, 'POST', '/admin/hosts/integrate', {
    token, // from before the move
    body: { username: 'next', email: 'next@x.example', password: 'correct horse', subscription_type: 12 },
  })
  await after.kill('SIGTERM')
  expect(made).toMatchObject({ status: 200, body: { data: { numerical_id: 3 } } }) // 2 was that of a deleted host
  expect(await move(to)).toEqual({
    ...{ code: 1, out: '' },
    err: 'Not moved: PostgreSQL holds other data (hosts: 1 here, 2 there).\n',
  })
  await rm(join(DATA_DIR, 'moved.json'))
  await (await startServerProcess(from)).kill('SIGTERM')
})

test('takes a database that a server has made, and no other that is in use', async () => {
  const { from, to } = await installation()
  const before = await everythingIn(from)
  await inDatabaseOf(to, async (db) => void (await sql`create table other (n integer)`.execute(db)))
  const other = await installation()
  await fill(other.to)
  await inDatabaseOf(other.to, async (db) => void (await sql`update hosts set full_name = 'another'`.execute(db)))
  const there = await contentsOf(other.to)
  expect(await move({ ...to, DATABASE_URL: other.to.DATABASE_URL ?? '' })).toMatchObject({
    ...{ code: 1, out: '' },
    err: 'Not moved: PostgreSQL holds other data (masters: 1 here, 1 there, but not the same).\n',
  })
  expect(await contentsOf(other.to)).toEqual(there)
  expect(existsSync(join(from.DATA_DIR ?? '', 'moved.json'))).toBe(false)
  expect(await move(to)).toMatchObject({ code: 0, err: '' })
  expect(await everythingIn(to)).toEqual(before)
  await inDatabaseOf(to, async (db) => expect((await sql`select from other`.execute(db)).rows).toEqual([]))
})

test('is refused where it cannot be done, and changes nothing', async () => {
  const { from, to } = await installation()
  const { DATA_DIR = '' } = from
  const refuses = async (env: Env, err: string, code = 1) => {
    expect(await move(env)).toEqual({ code, out: '', err })
    expect(readdirSync(DATA_DIR)).not.toContain('moved.json')
  }
  const { SECRET_KEY_FILE: _, ...keyless } = to
  await refuses(
    { ...keyless, SECRET_KEY: 'a key of another installation, 0123456789' },
    'Not moved: SECRET_KEY is not the key of DATA_DIR; set SECRET_KEY_FILE to DATA_DIR/secret.key.\n',
  )
  await refuses(from, 'Not moved: set DATABASE_URL to the address of an empty database.\n', 2)
  expect(await move(to, '--now')).toEqual({ code: 2, out: '', err: 'Use: npm run move-to-postgres\n' })
  const nowhere = join(out.path, 'nowhere')
  await refuses(
    { ...to, DATA_DIR: nowhere },
    `There is no database in ${nowhere} yet. Start the server once, then repeat this.\n`,
  )
  await writeFile(join(DATA_DIR, 'secret.key.new'), 'x')
  await refuses(to, 'Not moved: The change of SECRET_KEY is not finished; run npm run rotate-key -- --yes.\n')
  await rm(join(DATA_DIR, 'secret.key.new'))
  const inUse = 'Not moved: a server uses this installation; stop it first.\n'
  for (const running of [from, to]) {
    const server = await startServerProcess(running)
    await refuses(to, inUse).finally(() => server.kill('SIGKILL'))
  }
})

test('killed while PostgreSQL fills, it leaves both as they were, and the next one succeeds', async () => {
  const { from, to } = await installation()
  const before = await everythingIn(from)
  await inDatabaseOf(to, async (db) => {
    await sql`create function wait() returns event_trigger language plpgsql as 'begin perform pg_sleep(0.2); end'`.execute(
      db,
    )
    await sql`create event trigger waits on ddl_command_end execute function wait()`.execute(db)
    const child = spawn(process.execPath, ['--liftoff-only', 'server/commands/move-to-postgres.ts'], {
      env: { PATH: process.env.PATH ?? '', ...to },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    const isFilling = sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'parley backup' and wait_event = 'PgSleep'`
    await expect
      .poll(async () => (await isFilling.execute(db)).rows[0]?.count, { interval: 1, timeout: 60_000 })
      .toBe(1)
    child.kill('SIGKILL')
    await exited
    await sql`drop event trigger waits`.execute(db)
    expect((await sql`select from pg_tables where schemaname = 'public'`.execute(db)).rows).toEqual([])
  })
  expect(existsSync(join(from.DATA_DIR ?? '', 'moved.json'))).toBe(false)
  expect(await everythingIn(from)).toEqual(before)
  expect(await move(to)).toMatchObject({ code: 0, err: '' })
  expect(await everythingIn(to)).toEqual(before)
})
