import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSecrets } from '../../server/features/backup/stored-secrets.ts'
import { secretsFrom } from '../../server/lib/secrets.ts'
import { type Env, Installations, KINDS, type Kind } from '../commands/installations.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import { type DataFolder, emptyDataFolder, runServerToItsEnd, startServerProcess } from '../servers/server-process.ts'
import { inDatabaseOf, rowsIn, runCommand, stateOf } from './backup-world.ts'

/** Stored by `fill`: a room user's password, two tokens of Zoom, a passcode, its join URL, and the secret of an app. */
const SECRETS = 6
const WOULD = `Would re-encrypt ${SECRETS} secrets, end 1 sessions and void 1 links; add --yes to do it.\n`
const CHANGED = `Key changed: ${SECRETS} secrets re-encrypted, 1 sessions ended, 1 links void. Start every server again.\n`
const UNFINISHED = 'The change of SECRET_KEY is not finished; run npm run rotate-key -- --yes.\n'

let out: DataFolder
let postgres: TestPostgres
let installations: Installations
beforeAll(async () => {
  ;[out, postgres] = await Promise.all([emptyDataFolder(), startPostgres()])
  installations = new Installations(out.path, postgres)
})
afterAll(async () => {
  await Promise.all([out.remove(), postgres.stop()])
})

const installation = async (kind: Kind): Promise<Env> => (await installations.filled(kind)).env

const keyOf = ({ DATA_DIR = '', SECRET_KEY }: Env) =>
  SECRET_KEY ?? readFileSync(join(DATA_DIR, 'secret.key'), 'utf8').trim()

/** Opens the database once: its secrets, and its rows without what the change is for. */
async function read(env: Env, key = keyOf(env)) {
  return inDatabaseOf(env, async (db) => {
    const { sessions: _, audit: __, known_devices: ___, ...rows } = await rowsIn(db)
    const without = (row: string) =>
      row.replaceAll(/("\w+_ciphertext": )"[^"]*"/g, '$1""').replace(/"key_id": (null|"[^"]*")/, '"key_id": ""')
    const kept = Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, all.map(without)]))
    return { secrets: await readSecrets(db, secretsFrom(key)), kept }
  })
}

/** Takes the printed key over, as an operator does. */
function withPrintedKey(env: Env, printed: string): Env {
  const [, SECRET_KEY] = /^SECRET_KEY=(.+)$/m.exec(printed) ?? []
  return SECRET_KEY === undefined ? env : { ...env, SECRET_KEY }
}

/** `key` is that from before. */
async function expectChanged(after: Env, before: Awaited<ReturnType<typeof read>>, key: string): Promise<void> {
  expect(keyOf(after)).not.toBe(key)
  expect(await read(after)).toEqual(before)
  await inDatabaseOf(after, async (db) => {
    expect((await readSecrets(db, secretsFrom(key))).unreadable).toBe(SECRETS - 1) // a URL that opens with no key is not counted
    const { id } = secretsFrom(keyOf(after))
    expect(await db.selectFrom('installation').select('key_id').execute()).toEqual([{ key_id: id }])
    expect(await db.selectFrom('sessions').select('end_reason').execute()).toEqual([{ end_reason: 'key_changed' }])
    for (const table of ['sign_in_links', 'known_devices', 'idempotency_keys'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    const audit = db.selectFrom('audit').select(['actor_role', 'after']).where('action', '=', 'key_rotated')
    expect(await audit.execute()).toMatchObject([
      { actor_role: 'system', after: { command: 'rotate-key', reencrypted: SECRETS, sessions: 1, links: 1 } },
    ])
  })
  const left = readdirSync(after.DATA_DIR ?? '').filter((name) => name.startsWith('secret.key'))
  expect(left.sort()).toEqual(after.SECRET_KEY ? [] : ['secret.key', 'secret.key.old'])
}

describe.each(KINDS)('rotate-key of %s', (kind) => {
  test('says what it would do, then does it, keeps everything else, and replaces the snapshots from before', {
    timeout: 480_000,
  }, async () => {
    const env = await installation(kind)
    const { DATA_DIR = '' } = env
    const old = keyOf(env)
    await (await startServerProcess(env)).kill('SIGTERM') // takes a snapshot
    const snapshots = () => (existsSync(join(DATA_DIR, 'snapshots')) ? readdirSync(join(DATA_DIR, 'snapshots')) : [])
    const taken = snapshots()
    const before = await read(env)
    expect(before.secrets).toMatchObject({ readable: SECRETS, unreadable: 0 })
    expect(await runCommand('rotate-key', env)).toEqual({ code: 1, out: '', err: WOULD })
    expect(await read(env)).toEqual(before)

    const changed = await runCommand('rotate-key', env, '--yes')
    expect(changed).toMatchObject({ code: 0, err: '' })
    expect(changed.out.startsWith(CHANGED)).toBe(true)
    expect(changed.out.split('\n')).toHaveLength(kind === 'embedded' ? 2 : 3)
    const after = withPrintedKey(env, changed.out)
    await expectChanged(after, before, old)
    expect(snapshots()).toHaveLength(kind === 'embedded' ? 1 : 0)
    for (const name of taken) expect(snapshots()).not.toContain(name)
    if (kind === 'PostgreSQL') return (await startServerProcess(after)).kill('SIGTERM')
    expect(readFileSync(join(DATA_DIR, 'secret.key.old'), 'utf8').trim()).toBe(old)
    for (const name of ['secret.key', 'secret.key.old']) expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600)
    await rm(join(DATA_DIR, 'pglite', 'PG_VERSION'))
    await (await startServerProcess(env, ['--restore-snapshot'])).kill('SIGTERM')
    expect((await read(env)).secrets).toMatchObject({ readable: SECRETS, unreadable: 0 })
  })

  test('is refused beside a server, for what its key does not open, and for flags that it does not have', async () => {
    const env = await installation(kind)
    await inDatabaseOf(env, async (db) => {
      const foreign = secretsFrom('another key of this test, 0123456789').encrypt('x', 'y')
      await sql`update zoom_links set access_token_ciphertext = ${foreign}, refresh_token_ciphertext = ${foreign}`.execute(
        db,
      )
    })
    const before = await stateOf(env)
    for (const args of [[], ['--yes']])
      expect(await runCommand('rotate-key', env, ...args)).toEqual({
        ...{ code: 1, out: '' },
        err: 'Not rotated: 2 secrets cannot be read with this key.\n',
      })
    expect(await runCommand('rotate-key', env, '--maybe')).toMatchObject({
      code: 2,
      err: 'Use: npm run rotate-key [-- --yes]\n',
    })
    const after = await stateOf(env)
    if (kind === 'PostgreSQL') expect(after).toEqual(before)
    expect(readdirSync(env.DATA_DIR ?? '')).not.toContain('secret.key.new')
    const server = await startServerProcess(env)
    try {
      for (const args of [[], ['--yes']])
        expect(await runCommand('rotate-key', env, ...args)).toEqual({
          ...{ code: 1, out: '' },
          err: 'Not rotated: a server uses this installation; stop it first.\n',
        })
    } finally {
      await server.kill('SIGKILL')
    }
  })

  test.each([
    ['the new key is on the disk', /^secret\.key\.new$/],
    ['the database is under it', /^snapshots$/], // of the embedded one
  ])('killed once %s, it is finished by the next run, and nothing starts until then', async (_when, moment) => {
    const env = await installation(kind)
    const { DATA_DIR = '' } = env
    if (kind === 'PostgreSQL' && moment.test('snapshots')) return
    const [before, old] = [await read(env), keyOf(env)]
    const child = spawn(process.execPath, ['--liftoff-only', 'server/commands/rotate-key.ts', '--yes'], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: 'ignore',
    })
    const watcher = watch(DATA_DIR, (_event, name) => {
      if (moment.test(name ?? '')) child.kill('SIGKILL')
    })
    await once(child, 'exit')
    watcher.close()
    expect(child.signalCode).toBe('SIGKILL')
    expect(existsSync(join(DATA_DIR, 'secret.key.new'))).toBe(true)

    expect(await runServerToItsEnd(env)).toEqual({ code: 1, output: UNFINISHED })
    if (moment.test('secret.key.new')) {
      const BACKUP_RECIPIENTS = await identityToRecipient(await generateX25519Identity())
      const file = join(out.path, 'unfinished.tar.age')
      expect(await runCommand('backup', { ...env, BACKUP_RECIPIENTS }, file)).toEqual({
        code: 1,
        out: '',
        err: UNFINISHED,
      })
      const doctor = await runCommand('doctor', env)
      expect(doctor.out).toContain('The change of SECRET_KEY is not finished. Run `npm run rotate-key -- --yes`.')
    }
    const preview = await runCommand('rotate-key', env)
    expect(preview).toMatchObject({ code: 1, out: '' })
    expect([WOULD, UNFINISHED]).toContain(preview.err)

    const changed = await runCommand('rotate-key', env, '--yes')
    expect(changed).toMatchObject({ code: 0, err: '' })
    expect(changed.out.startsWith(CHANGED)).toBe(true)
    await expectChanged(withPrintedKey(env, changed.out), before, old)
  })
})

test('rotate-key prints the key again where it could not be printed', async () => {
  const env = await installation('PostgreSQL')
  const child = spawn(process.execPath, ['--liftoff-only', 'server/commands/rotate-key.ts', '--yes'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  const [code] = await once(child, 'exit')
  expect(code).toBe(1)
  expect(existsSync(join(env.DATA_DIR ?? '', 'secret.key.new'))).toBe(true)
  const again = await runCommand('rotate-key', env, '--yes')
  expect(again).toMatchObject({ code: 0, err: '' })
  expect((await read(withPrintedKey(env, again.out))).secrets).toMatchObject({ readable: SECRETS, unreadable: 0 })
})

test('after rotate-key a server with the new key may use the same Redis right away', async () => {
  const redis = await startRedis()
  try {
    const env: Env = { ...(await installation('PostgreSQL')), REDIS_URL: redis.url, ZOOM_DEMO: 'false' }
    Object.assign(env, { ZOOM_CLIENT_ID: 'client', ZOOM_CLIENT_SECRET: 'secret', ZOOM_WEBHOOK_SECRET: 'webhooks' })
    await (await startServerProcess(env)).kill('SIGKILL')
    const changed = await runCommand('rotate-key', env, '--yes')
    expect(changed).toMatchObject({ code: 0, err: '' })
    await (await startServerProcess(withPrintedKey(env, changed.out))).kill('SIGTERM')
  } finally {
    await redis.stop()
  }
})

test('rotate-key without a database, or without its key, changes nothing', async () => {
  const DATA_DIR = join(out.path, 'none')
  await mkdir(DATA_DIR)
  expect(await runCommand('rotate-key', { DATA_DIR }, '--yes')).toMatchObject({
    code: 1,
    err: `There is no database in ${DATA_DIR} yet. Start the server once, then repeat this.\n`,
  })
  const env = await installation('embedded')
  const path = join(env.DATA_DIR ?? '', 'secret.key')
  const key = readFileSync(path, 'utf8')
  await rm(path)
  const refused = await runCommand('rotate-key', env, '--yes')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain(`${path} is missing`)
  await writeFile(path, key)
  expect((await read(env)).secrets).toMatchObject({ readable: SECRETS })
})
