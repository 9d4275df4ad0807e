import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hash as argon2 } from '@node-rs/argon2'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentsOf, inDatabaseOf } from '../processes/backup-world.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import {
  type DataFolder,
  emptyDataFolder,
  http,
  MASTER,
  makeHost,
  startServerProcess,
} from '../servers/server-process.ts'
import { type Env, Installations, type Kind } from './installations.ts'
import { addUsers } from './load.ts'
import { leftIn } from './rounds.ts'
import { run } from './run.ts'
import { type WholeState, wholeState } from './whole-state.ts'

/** `npm run test:commands` has it at full size, and from either database. */
const IS_FULL = process.env.COMMANDS !== undefined
const SIZE = IS_FULL ? { rows: 5_000, users: 200 } : { rows: 60, users: 6 }

let out: DataFolder
let postgres: TestPostgres
let installations: Installations
let keyFile: string
let BACKUP_RECIPIENTS: string
let since: number
beforeAll(async () => {
  ;[out, postgres] = await Promise.all([emptyDataFolder(), startPostgres()])
  installations = new Installations(out.path, postgres)
  const identity = await generateX25519Identity()
  BACKUP_RECIPIENTS = await identityToRecipient(identity)
  keyFile = join(out.path, 'key.txt')
  await writeFile(keyFile, identity)
  await mkdir(join(out.path, 'files'))
})
afterAll(async () => {
  await Promise.all([out.remove(), postgres.stop()])
})

/** A server has these in its folder. */
const OF_SERVERS = /^(console|control\.sock|server\.pid|zoom-emulator\.json)$/

async function succeed(env: Env, command: string[], line: RegExp): Promise<string> {
  const ended = await run(command, env)
  expect(ended).toMatchObject({ code: 0, err: '', out: expect.stringMatching(line) })
  expect(leftIn(env).filter((name) => !OF_SERVERS.test(name))).toEqual([])
  return ended.out
}

const restored = (env: Env, file: string) =>
  succeed(env, ['restore', file, '--identity', keyFile], /^Restored .* All sessions were ended\.$/m)

/** An installation in use: a master who can sign in, and the rows of `SIZE`. */
async function installationInUse(kind: Kind): Promise<Env> {
  const { env } = await installations.filled(kind, SIZE)
  const account = { email: MASTER.email, email_key: MASTER.email, password_hash: await argon2(MASTER.password) }
  await inDatabaseOf(env, (db) => db.updateTable('masters').set(account).execute())
  since = Date.now()
  return env
}

/** Makes a backup while a user is added with each call. Returns its file, and the names that it has to have at least. */
async function backUpUnderLoad(env: Env): Promise<{ file: string; confirmed: string[]; sent: string[] }> {
  const server = await startServerProcess(env)
  const { token } = await makeHost(server)
  const load = addUsers(server, token)
  await expect.poll(() => load.confirmed.length).toBeGreaterThan(3)
  const confirmed = [...load.confirmed]
  const file = join(out.path, 'files', `${env.DATABASE_URL ? 'postgres' : 'embedded'}.tar.age`)
  await succeed({ ...env, BACKUP_RECIPIENTS }, ['backup', file], /^Backup written: .*encrypted to 1 recipient\.$/m)
  const sent = [...load.sent]
  await load.stop()
  expect(load.confirmed.length).toBeGreaterThan(confirmed.length)
  await server.kill('SIGTERM')
  return { file, confirmed, sent }
}

/** Tables that nothing but the calls of the load has changed. */
const QUIET = ['room_users', 'stays', 'audit', 'recordings', 'totp_secrets', 'masters', 'app_info']
const idOf = (row: string) => /"(?:id|host_id)": ("[^"]*"|\d+)/.exec(row)?.[1]
const withoutSecrets = (row: string) => row.replaceAll(/("\w+_ciphertext": )"[^"]*"/g, '$1""')

/** The backup has one moment of the installation: all from before it, some of what came meanwhile, and nothing else. */
async function expectOneMoment(found: Env, first: Record<string, string[]>, source: Env, load: Load): Promise<void> {
  const [rows, last] = [await contentsOf(found, QUIET), await contentsOf(source, QUIET)]
  for (const table of QUIET) {
    const has = rows[table]?.map(withoutSecrets) ?? []
    const had = new Set([...(first[table] ?? []), ...(last[table] ?? [])].map(withoutSecrets))
    const ids = new Set(has.map(idOf))
    expect(
      first[table]?.filter((row) => !ids.has(idOf(row))),
      table,
    ).toEqual([])
    expect(
      has.filter((row) => !had.has(row) && !row.includes('"system_restored"')),
      table,
    ).toEqual([])
  }
  const names = (rows.room_users ?? []).flatMap((row) => /"username": "(load \d+)"/.exec(row)?.[1] ?? []).sort()
  expect(names).toEqual(load.sent.slice(0, names.length))
  expect(names.length).toBeGreaterThanOrEqual(load.confirmed.length)
}
type Load = Awaited<ReturnType<typeof backUpUnderLoad>>

/** Compares two states table by table, but for those that a command is to change. */
function expectSame(found: WholeState, before: WholeState, changed: string[]): void {
  const without = (state: WholeState) => ({
    ...state,
    sequences: new Set(state?.sequences),
    tables: Object.fromEntries(Object.entries(state?.tables ?? {}).filter(([table]) => !changed.includes(table))),
  })
  expect(without(found)).toEqual(without(before))
}

const VOIDED = ['sessions', 'sign_in_links', 'account_links', 'known_devices', 'idempotency_keys']
const BY_ROTATION = ['audit', ...VOIDED, 'sign_in_challenges', 'passkey_challenges', 'oauth_states', 'oauth_results']
const BY_RESTORE = [...BY_ROTATION, 'installation', 'backup_schedule', 'phone_requests', 'mails']

async function rotate(env: Env): Promise<Env> {
  const before = await wholeState(env, since)
  const printed = await succeed(env, ['rotate-key', '--yes'], /^Key changed: \d+ secrets re-encrypted, /)
  const [, SECRET_KEY] = /^SECRET_KEY=(.+)$/m.exec(printed) ?? []
  const after = SECRET_KEY === undefined ? env : { ...env, SECRET_KEY }
  const state = await wholeState(after, since)
  expectSame(state, before, BY_ROTATION)
  expect(state?.secrets).toMatchObject({ unreadable: 0 })
  expect(state?.secrets?.readable).toBeGreaterThan(SIZE.users)
  return after
}

async function move(from: Env): Promise<Env> {
  const { DATABASE_URL = '' } = await installations.empty('PostgreSQL')
  const SECRET_KEY = readFileSync(join(from.DATA_DIR ?? '', 'secret.key'), 'utf8').trim()
  const to = { ...from, DATABASE_URL, SECRET_KEY, ZOOM_DEMO: 'true' }
  const before = await wholeState(from, since)
  await succeed(to, ['move-to-postgres'], /^Moved to PostgreSQL: \d+ tables, \d+ rows, all equal\.$/m)
  expectSame(await wholeState(to, since), before, ['audit'])
  expectSame(await wholeState(from, since), before, [])
  return to
}

async function backUpAndRestore(from: Env, kind: Kind): Promise<Env> {
  const file = join(out.path, 'files', `${kind}-again.tar.age`)
  await succeed({ ...from, BACKUP_RECIPIENTS }, ['backup', file], /^Backup written: /)
  const to = await installations.empty(kind)
  await restored(to, file)
  expectSame(await wholeState(to, since), await wholeState(from, since), BY_RESTORE)
  return to
}

/** Nothing names the person any more, and no row of another one differs. */
async function erase(env: Env): Promise<void> {
  const [id = ''] = await inDatabaseOf(env, async (db) =>
    (await db.selectFrom('room_users').select('id').where('user_id', '=', 'U000001').execute()).map((user) => user.id),
  )
  const others = (contents: Record<string, string[]>) =>
    Object.fromEntries(
      Object.entries(contents)
        .filter(([table]) => table !== 'erasures')
        .map(([table, rows]) => [table, rows.filter((row) => !row.includes(id) && !row.includes('"person_'))]),
    )
  const before = await contentsOf(env)
  const file = join(out.path, 'files', `person-${env.DATABASE_URL ? 'postgres' : 'embedded'}.json`)
  const counts = `${Math.floor(SIZE.rows / SIZE.users)} stays, \\d+ audit rows\\.\\n$`
  await succeed(env, ['person', 'export', 'H000001', 'U000001', file], new RegExp(`^Exported .*: ${counts}`, 's'))
  const exported = JSON.parse(readFileSync(file, 'utf8'))
  expect(exported.stays).toHaveLength(Math.floor(SIZE.rows / SIZE.users))
  await succeed(env, ['person', 'erase', 'H000001', 'U000001', '--yes'], new RegExp(`^Erased .*: ${counts}`, 's'))
  const after = await contentsOf(env)
  const withoutRooms = ({ rooms: _, hosts: __, ...tables }: Record<string, string[]>) => tables // a new passcode is due
  expect(withoutRooms(others(after))).toEqual(withoutRooms(others(before)))
  const rows = Object.entries(after).flatMap(([table, all]) =>
    all.filter((row) => row.includes(id)).map((row) => `${table} ${row}`),
  )
  expect(rows.filter((row) => row.includes(exported.person.username) || row.includes('U000001'))).toEqual([])
  expect(rows.length).toBeGreaterThan(SIZE.rows / SIZE.users)
  expect(await run(['person', 'export', 'H000001', 'U000001', `${file}.again`], env)).toMatchObject({
    code: 1,
    out: '',
  })
  expect(existsSync(`${file}.again`)).toBe(false)
}

/** Rows can be added, under numbers that none ever had. */
async function addRows(env: Env): Promise<void> {
  const numbers = async () =>
    inDatabaseOf(env, async (db) => ({
      host: Number(
        (
          await db
            .selectFrom('hosts')
            .select(({ fn }) => fn.max('numerical_id').as('n'))
            .executeTakeFirst()
        )?.n,
      ),
      audit: Number(
        (
          await db
            .selectFrom('audit')
            .select(({ fn }) => fn.max('seq').as('n'))
            .executeTakeFirst()
        )?.n,
      ),
    }))
  const before = await numbers()
  const server = await startServerProcess(env)
  const { token, user_id } = await makeHost(server, { ...MORE, username: 'next' })
  expect(user_id).toBe(`H${String(before.host + 1).padStart(6, '0')}`)
  const added = await http(server, 'POST', '/host/users', {
    token,
    body: { username: 'Next', user_id: 'U000001', password: 'a lamp' },
  })
  expect(added.status).toBe(200)
  await server.kill('SIGTERM')
  expect((await numbers()).audit).toBeGreaterThan(before.audit)
}
const MORE = { email: 'next@x.example', password: 'correct horse', subscription_type: 12 }

test('an installation of the embedded database goes to PostgreSQL, under another key, and to an embedded one', {
  timeout: 900_000,
}, async () => {
  const env = await installationInUse('embedded')
  const first = await contentsOf(env, QUIET)
  const load = await backUpUnderLoad(env)
  const other = await installations.empty('PostgreSQL')
  await restored(other, load.file)
  await expectOneMoment(other, first, env, load)

  const moved = await rotate(await move(env))
  const last = await backUpAndRestore(moved, 'embedded')
  await erase(last)
  await addRows(last)
  await addRows(moved)
})

if (IS_FULL)
  test('an installation of PostgreSQL goes to an embedded database, under another key, and to PostgreSQL', {
    timeout: 900_000,
  }, async () => {
    const env = await installationInUse('PostgreSQL')
    const first = await contentsOf(env, QUIET)
    const load = await backUpUnderLoad(env)
    const other = await installations.empty('embedded')
    await restored(other, load.file)
    await expectOneMoment(other, first, env, load)

    const last = await move(await rotate(await backUpAndRestore(env, 'embedded')))
    await erase(last)
    await addRows(last)
    await addRows(other)
  })
