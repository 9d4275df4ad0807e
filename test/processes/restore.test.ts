import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, type FSWatcher, readdirSync, readFileSync, watch } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { packTar } from 'modern-tar'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { passwordAad } from '../../server/features/auth/user-password.ts'
import { BACKUP_TABLES } from '../../server/features/backup/backup-tables.ts'
import { secretsFrom } from '../../server/lib/secrets.ts'
import { type Env, Installations, KINDS, type Kind } from '../commands/installations.ts'
import { buildMachines, type Machine, type Machines } from '../faults/machine.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import { type DataFolder, emptyDataFolder, startServerProcess } from '../servers/server-process.ts'
import { contentsOf, inDatabaseOf, PASSPHRASE, rowsIn, runCommand, stateOf, type World } from './backup-world.ts'
import { flipBytes } from './damage.ts'
import { startForgetfulProxy } from './forgetful-proxy.ts'

const identity = await generateX25519Identity()
const BACKUP_RECIPIENTS = await identityToRecipient(identity)
const TABLES = BACKUP_TABLES.length

let out: DataFolder
let postgres: TestPostgres
let machines: Machines
let machineOfPostgres: Machine
let installations: Installations
let keyFile: string
let otherKeyFile: string
let sources: Record<Kind, { env: Env; world: World; file: string; contents: Record<string, string[]> }>

beforeAll(async () => {
  ;[out, machines] = await Promise.all([emptyDataFolder(), buildMachines()])
  machineOfPostgres = await machines.create('PostgreSQL')
  postgres = await startPostgres(machineOfPostgres.env)
  installations = new Installations(out.path, postgres)
  keyFile = join(out.path, 'key.txt')
  otherKeyFile = join(out.path, 'other.txt')
  await writeFile(keyFile, identity)
  await writeFile(otherKeyFile, await generateX25519Identity())
  sources = { embedded: await makeSource('embedded'), PostgreSQL: await makeSource('PostgreSQL') }
})
afterAll(async () => {
  await Promise.all([out.remove(), postgres.stop(), machines.remove()])
})

let made = 0
const emptyTarget = (kind: Kind) => installations.empty(kind)

async function makeSource(kind: Kind) {
  const { env, world } = await installations.filled(kind)
  const contents = await contentsOf(env)
  const file = join(out.path, `${kind}.tar.age`)
  expect(await runCommand('backup', { ...env, BACKUP_RECIPIENTS }, file)).toMatchObject({ code: 0 })
  return { env, world, file, contents }
}

/** A passphrase takes a second to try, so one of the restores has one. */
async function withPassphrase(): Promise<string> {
  const file = join(out.path, 'passphrase.tar.age')
  const { env } = await installations.filled('embedded')
  const made = await runCommand('backup', { ...env, BACKUP_PASSPHRASE: PASSPHRASE }, file)
  expect(made).toMatchObject({ code: 0 })
  return file
}

/** An installation with other data, as it is in use. */
const otherInstallation = async (kind: Kind) => (await installations.filled(kind, { rows: 1 })).env

const restore = (env: Env, file: string, ...args: string[]) =>
  runCommand('restore', env, file, '--identity', keyFile, ...args)

/** Rows without what a restore changes on purpose. */
function comparable(contents: Record<string, string[]>): Record<string, string[]> {
  const { sessions: _, installation: __, audit: ___, known_devices: ____, ...others } = contents
  const without = (row: string) => row.replaceAll(/("\w+_ciphertext": )"[^"]*"/g, '$1""')
  return Object.fromEntries(Object.entries(others).map(([table, rows]) => [table, rows.map(without).sort()]))
}

async function expectRestored(env: Env, kind: Kind): Promise<void> {
  const { world, contents, env: source } = sources[kind]
  for (const path of world.recordings)
    expect(readFileSync(join(env.DATA_DIR ?? '', path)).equals(readFileSync(join(source.DATA_DIR ?? '', path)))).toBe(
      true,
    )
  const [logo] = readdirSync(join(source.DATA_DIR ?? '', 'logos'))
  expect(readdirSync(join(env.DATA_DIR ?? '', 'logos'))).toContain(logo)
  const secrets = secretsFrom(env.SECRET_KEY ?? readFileSync(join(env.DATA_DIR ?? '', 'secret.key'), 'utf8').trim())
  await inDatabaseOf(env, async (db) => {
    const found = await rowsIn(db)
    expect(comparable(found)).toEqual(comparable(contents))
    expect(found.audit).toHaveLength((contents.audit?.length ?? 0) + 1)
    expect(found.installation).not.toEqual(contents.installation)
    const user = await db.selectFrom('room_users').selectAll().where('id', '=', world.user_id).executeTakeFirstOrThrow()
    expect(secrets.decrypt(user.password_ciphertext, passwordAad(user.id))).toBe('lamp')
    const sessions = await db.selectFrom('sessions').selectAll().execute()
    expect(sessions).toMatchObject([{ end_reason: 'restored', ended_at: expect.any(Date) }])
    expect(await db.selectFrom('sign_in_links').selectAll().execute()).toEqual([])
    const audit = db.selectFrom('audit').selectAll().where('action', '=', 'system_restored')
    expect(await audit.execute()).toMatchObject([
      { actor_role: 'system', after: { command: 'restore', tables: TABLES } },
    ])
    const next = await db
      .insertInto('hosts')
      .values({ username: 'n', username_key: 'n', email: 'n', email_key: 'n', password_hash: 'h' })
      .returning(['id', 'numerical_id'])
      .executeTakeFirstOrThrow()
    expect(next.numerical_id).toBe(3) // 2 was that of a deleted host
    await db.deleteFrom('hosts').where('id', '=', next.id).execute()
    expect(
      (await sql`select from pg_tables where schemaname = 'public' and tablename like '%lock'`.execute(db)).rows,
    ).toHaveLength(1)
  })
  expect(existsSync(join(env.DATA_DIR ?? '', 'restoring'))).toBe(false)
}

describe.each(KINDS.flatMap((from) => KINDS.map((to) => [from, to] as const)))(
  'a backup of %s in an empty %s',
  (from, to) => {
    test('brings back all rows and files, under the key of the new installation, and a server starts on it', async () => {
      const env = await emptyTarget(to)
      const { contents } = sources[from]
      const file = from === 'embedded' && to === 'embedded' ? await withPassphrase() : sources[from].file
      const rows = Object.values(contents).reduce((sum, { length }) => sum + length, 0)
      const restored = file.includes('passphrase')
        ? await runCommand('restore', { ...env, BACKUP_PASSPHRASE: PASSPHRASE }, file)
        : await restore(env, file)
      expect(restored).toMatchObject({ code: 0, err: '' })
      expect(restored.out.split('\n').slice(0, 3)).toEqual([
        `Restored ${file}: ${TABLES} tables, ${rows} rows, 4 files. All sessions were ended.`,
        expect.stringContaining('what was changed since is valid again'),
        '1 host may have to connect Zoom again.',
      ])
      await expectRestored(env, from)
      if (from === to) return
      const server = await startServerProcess(env)
      await server.kill('SIGKILL')
    })
  },
)

describe.each(KINDS)('a restore to %s', (kind) => {
  let env: Env
  let before: object
  beforeAll(async () => {
    env = await otherInstallation(kind)
    before = await stateOf(env)
  })

  afterEach(async () => expect(await stateOf(env)).toEqual(before))

  async function refuses(file: string, reason: string | RegExp, args = ['--replace'], more: Env = {}, code = 1) {
    const refused = await runCommand('restore', { ...env, BACKUP_RECIPIENTS, ...more }, file, ...args)
    expect(refused).toMatchObject({ code, out: '' })
    if (typeof reason === 'string') expect(refused.err).toBe(`Not restored: ${reason}.\n`)
    else expect(refused.err).toMatch(reason)
  }
  const withKey = (...args: string[]) => ['--identity', keyFile, ...args]

  const damagedCopy = async (damage: (path: string, size: number) => Promise<void> | void) => {
    const path = join(out.path, `damaged-${++made}.tar.age`)
    await cp(sources.embedded.file, path)
    await damage(path, (await readFile(path)).length)
    return path
  }
  const cut = (bytes: (size: number) => number) => async (path: string, size: number) =>
    writeFile(path, (await readFile(path)).subarray(0, bytes(size)))

  /** A file is checked in the same way for each kind, so one of them has all of these. */
  const firstFor = (all: Kind, count: number) => (kind === all ? undefined : count)

  test('is refused for a damaged file', async () => {
    const damages: [string, (path: string, size: number) => Promise<void> | void][] = [
      ['a changed byte in its middle', (path, size) => flipBytes(path, Math.floor(size / 2), 1)],
      ['half of it', cut((size) => Math.floor(size / 2))],
      ['a changed byte in its first line', (path) => flipBytes(path, 3, 1)],
      ['a changed byte in its header', (path) => flipBytes(path, 200, 1)],
      ['a changed byte at its end', (path, size) => flipBytes(path, size - 5, 1)],
      ['one byte less', cut((size) => size - 1)],
      ['nothing of it', cut(() => 0)],
      ['another content', (path) => writeFile(path, 'This is no backup.\n'.repeat(1_000))],
    ]
    const reason = /^Not restored: \S+ (is damaged at [\w/ .-]+|cannot be decrypted with this key or passphrase)\.\n$/
    for (const [_which, damage] of damages.slice(0, firstFor('embedded', 2)))
      await refuses(await damagedCopy(damage), reason, withKey('--replace'))
  })

  const handMade = async (entries: Record<string, string>) => {
    const encrypter = new Encrypter()
    encrypter.addRecipient(BACKUP_RECIPIENTS)
    const tar = await packTar(
      Object.entries(entries).map(([name, body]) => ({ header: { name, size: body.length }, body })),
    )
    const path = join(out.path, `made-${++made}.tar.age`)
    await writeFile(path, await encrypter.encrypt(tar))
    return path
  }
  const about = (more: object = {}) =>
    JSON.stringify({
      ...{ format: 1, version: packageJson.version, made_at: '2026-11-28T00:00:00.000Z', engine: 'pglite' },
      ...{ migrations: ['0001_hosts.sql'], ...more },
    })

  test('is refused for a file of a newer release, or without an end, or with a path that leads elsewhere', async () => {
    const newer = (version: string) => `was made by a newer Parley (${version}); this is ${packageJson.version}`
    const cases: [Record<string, string>, string][] = [
      [{ 'about.json': about({ version: '99.0.0' }) }, newer('99.0.0')],
      [{ 'about.json': about() }, 'is damaged at its end: it is cut short'],
      [{ 'about.json': about({ format: 2 }) }, newer(packageJson.version)],
      [{ 'about.json': about({ migrations: ['0001_hosts.sql', '9999_later.sql'] }) }, newer(packageJson.version)],
      [{ 'about.json': 'x' }, 'is damaged at about.json'],
      [{ 'manifest.json': '{}' }, 'is damaged at manifest.json'],
      [{ 'about.json': about(), 'files/../../out': 'x' }, 'is damaged at files/../../out'],
      [{ 'about.json': about(), 'tables/hosts/0001.copy.zst': 'x' }, 'is damaged at tables/hosts/0001.copy.zst'],
    ]
    for (const [entries, reason] of cases.slice(0, firstFor('PostgreSQL', 2))) {
      const path = await handMade(entries)
      await refuses(path, `${path} ${reason}`, withKey('--replace'))
    }
  })

  test('is refused where it cannot be done', async () => {
    const { file } = sources.PostgreSQL
    const cannot = `${file} cannot be decrypted with this key or passphrase`
    await refuses(file, `this installation is not empty; add --replace to put ${file} in its place`, withKey())
    await refuses(file, cannot, ['--identity', otherKeyFile, '--replace'])
    if (kind === 'PostgreSQL')
      await refuses(
        file,
        'set BACKUP_RECIPIENTS or BACKUP_PASSPHRASE, for the backup of what is there now',
        withKey('--replace'),
        { BACKUP_RECIPIENTS: '' },
      )
    if (kind === 'PostgreSQL') return
    await refuses(file, cannot, ['--replace'], { BACKUP_RECIPIENTS: '', BACKUP_PASSPHRASE: PASSPHRASE })
    await refuses(file, 'add --identity KEYFILE, or set BACKUP_PASSPHRASE', ['--replace'], {}, 2)
    await refuses(file, '/nowhere cannot be read (ENOENT)', ['--identity', '/nowhere', '--replace'], {}, 2)
    await refuses('/nowhere', '/nowhere cannot be read (ENOENT)', withKey('--replace'))
    await refuses(file, /^Use: npm run restore -- FILE /, ['--check', '--replace'], {}, 2)
    await refuses(file, /^Use: /, ['more'], {}, 2)
  })

  test('is refused on a disk that becomes full meanwhile', async () => {
    const machine = await machines.create(`restore ${++made}`)
    const watcher = watch(
      env.DATA_DIR ?? '',
      (_event, name) => void (name === 'restoring' && machine.setDiskFull(true)),
    )
    const args = withKey('--replace')
    await refuses(sources.embedded.file, /^Not restored: .*no space left on device.*\.\n$/i, args, machine.env)
    watcher.close()
    if (kind === 'embedded') return
    await machineOfPostgres.setDiskFull(true)
    const refused = refuses(sources.embedded.file, /^Not restored: .*no space left on device.*\.\n$/i, args)
    await refused.finally(() => machineOfPostgres.setDiskFull(false))
  })

  test('is refused beside a server', async () => {
    const running = await otherInstallation(kind)
    const server = await startServerProcess(running)
    try {
      for (const args of [[], ['--replace']])
        expect(await restore(running, sources.embedded.file, ...args)).toEqual({
          ...{ code: 1, out: '' },
          err: 'Not restored: a server uses this installation; stop it first.\n',
        })
    } finally {
      await server.kill('SIGKILL')
    }
  })

  test('is refused without the key of the backup, unless this installation has the same', async () => {
    const { env: source } = sources[kind]
    const file = join(out.path, `keyless-${kind}.tar.age`)
    expect(await runCommand('backup', { ...source, BACKUP_RECIPIENTS }, file, '--without-key')).toMatchObject({
      code: 0,
    })
    const reason = `${file} holds no key, and its secrets are under another one than this installation's`
    await refuses(file, reason, withKey('--replace'))
    const same = await emptyTarget(kind)
    if (kind === 'PostgreSQL') same.SECRET_KEY = source.SECRET_KEY ?? ''
    else await cp(join(source.DATA_DIR ?? '', 'secret.key'), join(same.DATA_DIR ?? '', 'secret.key'))
    expect(await restore(same, file)).toMatchObject({ code: 0, err: '' })
  })

  test('only checks with --check', async () => {
    const checked = await runCommand('restore', env, sources.embedded.file, '--check', '--identity', keyFile)
    expect(checked).toMatchObject({ code: 0, err: '' })
    expect(checked.out).toMatch(
      new RegExp(
        `^Backup is whole: made \\S+ \\S+ UTC by Parley ${packageJson.version}, ${TABLES} tables, \\d+ rows, 4 files\\.\\n$`,
      ),
    )
  })
})

describe.each(KINDS)('a restore to %s', (kind) => {
  test('with --replace keeps what was there', async () => {
    const env = await otherInstallation(kind)
    const old = await contentsOf(env)
    const { file } = sources.embedded
    await writeFile(join(env.DATA_DIR ?? '', 'replaced-2026-11-28T00-00-00.000Z.tar.age.part'), 'of a killed run')
    const replaced = await runCommand(
      'restore',
      { ...env, BACKUP_RECIPIENTS },
      file,
      '--identity',
      keyFile,
      '--replace',
    )
    expect(replaced).toMatchObject({ code: 0, err: '' })
    await expectRestored(env, 'embedded')
    const DATA_DIR = env.DATA_DIR ?? ''
    const [kept = '', ...others] = readdirSync(DATA_DIR).filter((name) => /^(pglite\.)?replaced-/.test(name))
    expect(others).toEqual([])
    expect(replaced.out).toContain(`What was there before is in ${DATA_DIR}: `)
    expect(replaced.out).toContain(kept)
    const again = await emptyTarget(kind)
    if (kind === 'embedded') {
      await cp(join(DATA_DIR, kept), join(again.DATA_DIR ?? '', 'pglite'), { recursive: true })
      expect(comparable(await contentsOf(again))).toEqual(comparable(old))
    } else {
      expect(await restore(again, join(DATA_DIR, kept))).toMatchObject({ code: 0 })
      expect(comparable(await contentsOf(again))).toEqual(comparable(old))
    }
  })
})

test('a restore leaves the tables of another program alone', async () => {
  const env = await emptyTarget('PostgreSQL')
  await inDatabaseOf(env, async (db) => {
    await sql`create table other (n integer)`.execute(db)
    await sql`insert into other values (7)`.execute(db)
  })
  expect(await restore(env, sources.embedded.file)).toMatchObject({ code: 0 })
  await inDatabaseOf(env, async (db) => expect((await sql`select n from other`.execute(db)).rows).toEqual([{ n: 7 }]))

  const shared = await emptyTarget('PostgreSQL')
  await inDatabaseOf(shared, async (db) => void (await sql`create table sessions (n integer)`.execute(db)))
  expect(await restore({ ...shared, BACKUP_RECIPIENTS }, sources.embedded.file, '--replace')).toMatchObject({
    code: 1,
    err: 'Not restored: the database at DATABASE_URL has tables of another program (sessions).\n',
  })
})

describe('a restore that is killed leaves what was there, or all of the backup', () => {
  let contents: Record<Kind, Record<string, string[]>>
  beforeAll(async () => {
    const read = async (kind: Kind) => contentsOf(await otherInstallation(kind))
    contents = { embedded: await read('embedded'), PostgreSQL: await read('PostgreSQL') }
  })

  test.each([
    ['embedded', /^restoring\/files$/],
    ['embedded', /^archive\//],
    ['embedded', /^pglite\.next$/],
    ['PostgreSQL', /^restoring\/files$/],
    ['PostgreSQL', /^archive\//],
  ] as const)('to %s, once there is %s', async (kind, moment) => {
    const env = await otherInstallation(kind)
    const { DATA_DIR = '' } = env
    const before = comparable(contents[kind])
    const { file, world } = sources.embedded
    const child = spawn(
      process.execPath,
      ['--liftoff-only', 'server/commands/restore.ts', file, '--identity', keyFile, '--replace'],
      { env: { PATH: process.env.PATH ?? '', ...env, BACKUP_RECIPIENTS }, stdio: 'ignore' },
    )
    const exited = once(child, 'exit')
    const watchers: FSWatcher[] = []
    let wasSeen = false
    const see = (path: string) => {
      if (moment.test(path)) child.kill('SIGKILL')
      wasSeen ||= moment.test(path)
    }
    watchers.push(
      watch(join(DATA_DIR, 'archive'), (_event, name) => see(`archive/${name}`)),
      watch(DATA_DIR, (_event, name) => {
        see(name ?? '')
        if (name !== 'restoring' || watchers.length > 2) return
        const restoring = join(DATA_DIR, name)
        if (existsSync(restoring)) watchers.push(watch(restoring, (_inner, inside) => see(`restoring/${inside}`)))
      }),
    )
    await exited
    for (const watcher of watchers) watcher.close()
    expect(wasSeen).toBe(true)

    const found = comparable(await contentsOf(env))
    const isNew = 'hosts' in found && JSON.stringify(found.hosts) !== JSON.stringify(before.hosts)
    expect(found).toEqual(isNew ? comparable(sources.embedded.contents) : before)
    if (isNew) for (const path of world.recordings) expect(existsSync(join(DATA_DIR, path))).toBe(true)
    // And the next one succeeds.
    const again = await runCommand('restore', { ...env, BACKUP_RECIPIENTS }, file, '--identity', keyFile, '--replace')
    expect(again).toMatchObject({ code: 0, err: '' })
    await expectRestored(env, 'embedded')
  })
})

test('a restore to PostgreSQL whose last answer is lost keeps what was there, and does not say what it does not know', async () => {
  const env = await otherInstallation('PostgreSQL')
  const old = await contentsOf(env)
  const url = new URL(env.DATABASE_URL ?? '')
  const proxy = await startForgetfulProxy(Number(url.port), 'drop table if exists')
  url.port = String(proxy.port)
  const { file } = sources.embedded
  const {
    code,
    out: said,
    err,
  } = await restore({ ...env, BACKUP_RECIPIENTS, DATABASE_URL: url.href }, file, '--replace')
  await proxy.close()
  const DATA_DIR = env.DATA_DIR ?? ''
  const [kept = ''] = readdirSync(DATA_DIR).filter((name) => name.startsWith('replaced-'))
  expect({ code, said }).toEqual({ code: 1, said: '' })
  expect(err).toBe(
    `The database did not say whether ${file} was restored. Restore it once more, with --replace. ` +
      `What was there before is in ${DATA_DIR}: ${kept}.\n`,
  )
  await expectRestored(env, 'embedded')
  const again = await emptyTarget('PostgreSQL')
  expect(await restore(again, join(DATA_DIR, kept))).toMatchObject({ code: 0 })
  expect(comparable(await contentsOf(again))).toEqual(comparable(old))
})
