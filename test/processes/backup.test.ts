import { execFileSync } from 'node:child_process'
import { createHash, hash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { zstdDecompressSync } from 'node:zlib'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { BackupManifest } from '../../server/features/backup/backup-format.ts'
import { BACKUP_TABLES } from '../../server/features/backup/backup-tables.ts'
import { type Env, Installations, KINDS } from '../commands/installations.ts'
import { buildMachines, type Machines } from '../faults/machine.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import { type DataFolder, emptyDataFolder, startServerProcess } from '../servers/server-process.ts'
import { inDatabaseOf, PASSPHRASE, runCommand, type World } from './backup-world.ts'

const identity = await generateX25519Identity()
const BACKUP_RECIPIENTS = await identityToRecipient(identity)
const WRITTEN = new RegExp(
  `^Backup written: (.+), ${BACKUP_TABLES.length} tables, (\\d+) rows, (\\d+) files, (\\d+\\.\\d MB), `,
)

let out: DataFolder
let keyFile: string
let postgres: TestPostgres
let machines: Machines
let installations: Installations
beforeAll(async () => {
  ;[out, postgres, machines] = await Promise.all([emptyDataFolder(), startPostgres(), buildMachines()])
  installations = new Installations(out.path, postgres)
  keyFile = join(out.path, 'key.txt')
  await writeFile(keyFile, `# a comment\n${identity}\n`)
  return () => Promise.all([out.remove(), postgres.stop(), machines.remove()])
})

let files = 0
const newFile = () => join(out.path, `${++files}.tar.age`)

/** Opens a backup with the programs that the guide names. */
async function openWithAge(file: string): Promise<{ folder: string; names: string[]; manifest: BackupManifest }> {
  const folder = `${file}.opened`
  await mkdir(folder)
  const tar = join(folder, 'backup.tar')
  execFileSync('age', ['--decrypt', '--identity', keyFile, '--output', tar, file])
  const names = execFileSync('tar', ['--list', '--file', tar], { encoding: 'utf8' }).trim().split('\n')
  execFileSync('tar', ['--extract', '--file', tar, '--directory', folder])
  const manifest = BackupManifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
  return { folder, names, manifest }
}

async function failsOnFullDisk(env: Env): Promise<void> {
  const machine = await machines.create(`backup ${++files}`)
  await machine.setDiskFull(true)
  const file = newFile()
  expect(await runCommand('backup', { ...env, BACKUP_RECIPIENTS, ...machine.env }, file)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Backup failed: .*no space left on device.* was not written\.\n$/i),
  })
  expect([file, `${file}.part`].map((left) => existsSync(left))).toEqual([false, false])
}

describe.each(KINDS)('a backup of %s', (kind) => {
  let env: Env
  let world: World
  beforeAll(async () => {
    const filled = await installations.filled(kind)
    env = filled.env
    world = filled.world
  })

  test('that runs opens with age and tar, and has all rows, files and the key; its server makes one by itself', async () => {
    const BACKUP_TO = join(out.path, `by itself, ${kind}`)
    await mkdir(BACKUP_TO)
    const server = await startServerProcess({ ...env, BACKUP_TO, BACKUP_RECIPIENTS })
    const file = newFile()
    try {
      await expect
        .poll(() => readdirSync(BACKUP_TO))
        .toEqual([expect.stringMatching(/^parley-[\d-]+T[\d-]+Z\.tar\.age$/)])
      const [byItself = ''] = readdirSync(BACKUP_TO)
      const checked = await runCommand('restore', env, join(BACKUP_TO, byItself), '--check', '--identity', keyFile)
      expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('Backup is whole: ') })
      expect(await runCommand('backup', { ...env, BACKUP_RECIPIENTS }, file)).toEqual({
        code: 0,
        out: expect.stringMatching(WRITTEN),
        err: '',
      })
      const { folder, names, manifest } = await openWithAge(file)
      expect(names[0]).toBe('about.json')
      expect(names.slice(-2)).toEqual(['secret.key', 'manifest.json'])
      expect(manifest.entries.map(({ name }) => name)).toEqual(names.slice(0, -1))
      for (const { name, sha256 } of manifest.entries)
        expect(hash('sha256', readFileSync(join(folder, name)), 'hex'), name).toBe(sha256)
      expect(manifest.tables.map(({ name }) => name)).toEqual(BACKUP_TABLES)
      expect(manifest).toMatchObject({ files: 4, has_key: true, gone: [] })
      const key = env.SECRET_KEY ?? readFileSync(join(env.DATA_DIR ?? '', 'secret.key'), 'utf8')
      expect(readFileSync(join(folder, 'secret.key'), 'utf8').trim()).toBe(key)
      for (const path of world.recordings)
        expect(readFileSync(join(folder, 'files', path)).equals(readFileSync(join(env.DATA_DIR ?? '', path)))).toBe(
          true,
        )
      const stays = zstdDecompressSync(readFileSync(join(folder, 'tables/stays/0001.copy.zst'))).toString()
      expect(stays.split('\n')).toHaveLength(4)
      expect(stays).toContain('tab\\t, line\\nbreak, back\\\\slash')
      expect(names.filter((name) => name.startsWith('tables/sign_in_links'))).toEqual([])
      if (kind === 'embedded') await failsOnFullDisk(env) // in the middle of the copy, which the server makes
    } finally {
      await server.kill('SIGTERM')
    }
    expect(server.child.exitCode).toBe(0)
    const made = await inDatabaseOf(env, (db) =>
      db.selectFrom('audit').selectAll().where('action', '=', 'backup_made').orderBy('seq').execute(),
    )
    expect(made).toMatchObject([
      { actor_role: 'system' },
      { actor_role: 'system', after: { command: 'backup', tables: BACKUP_TABLES.length, files: 4 } },
    ])
    const snapshots = join(env.DATA_DIR ?? '', 'snapshots')
    if (kind === 'embedded') expect(readdirSync(snapshots).filter((name) => name.endsWith('.copy'))).toEqual([])
    expect(readdirSync(join(env.DATA_DIR ?? '')).filter((name) => /copy|part/.test(name))).toEqual([])
  })

  test('that is stopped, with a passphrase, and without the key', async () => {
    const file = newFile()
    const BACKUP_PASSPHRASE = PASSPHRASE
    const made = await runCommand('backup', { ...env, BACKUP_PASSPHRASE }, file, '--without-key', '--json')
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(made.out)).toMatchObject({ file, tables: BACKUP_TABLES.length, files: 4, has_key: false })
    const decrypter = new Decrypter()
    decrypter.addPassphrase(PASSPHRASE)
    const opened = await decrypter.decrypt(Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>)
    const sum = createHash('sha256')
    for await (const chunk of opened) sum.update(chunk)
    expect(sum.digest('hex')).toMatch(/^[0-9a-f]{64}$/)
    if (env.DATABASE_URL) return
    expect(readdirSync(join(env.DATA_DIR ?? '', 'snapshots')).filter((name) => name.endsWith('.copy'))).toEqual([])
  })

  test('that has a recording in its table alone fails, and leaves nothing', async () => {
    const path = join(env.DATA_DIR ?? '', world.recordings[1] ?? '')
    const bytes = readFileSync(path)
    await truncate(path, 10)
    const file = newFile()
    expect(await runCommand('backup', { ...env, BACKUP_RECIPIENTS }, file)).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining(
        `Backup failed: ${path} is missing, or not as long as it was. ${file} was not written.\n`,
      ),
    })
    await writeFile(path, bytes)
    expect([file, `${file}.part`].map((left) => existsSync(left))).toEqual([false, false])
    const [failed] = await inDatabaseOf(env, (db) =>
      db.selectFrom('audit').selectAll().where('action', '=', 'backup_failed').orderBy('seq', 'desc').execute(),
    )
    expect(failed?.after).toEqual({ command: 'backup', reason: `${path} is missing, or not as long as it was` })
  })

  test('is refused where it cannot be made', async () => {
    const taken = newFile()
    await writeFile(taken, 'something else')
    const none = newFile()
    const cases: [Env, string[], number, string][] = [
      [{ BACKUP_RECIPIENTS }, [taken], 1, `Not backed up: ${taken} exists.\n`],
      [{ BACKUP_RECIPIENTS }, ['/nowhere/at/all'], 1, 'Backup failed: ENOENT: '],
      [{}, [none], 2, 'Not backed up: set BACKUP_RECIPIENTS or BACKUP_PASSPHRASE.\n'],
      [{ BACKUP_PASSPHRASE: 'short' }, [none], 2, 'BACKUP_PASSPHRASE is set to 5 characters that are not valid; '],
      [{ BACKUP_RECIPIENTS: 'ana' }, [none], 2, 'BACKUP_RECIPIENTS is "ana"; it must be '],
      [{ BACKUP_RECIPIENTS: `${BACKUP_RECIPIENTS.slice(0, -1)}q` }, [none], 2, 'BACKUP_RECIPIENTS has age1'],
      [
        { BACKUP_RECIPIENTS, BACKUP_PASSPHRASE: PASSPHRASE },
        [none],
        2,
        'BACKUP_RECIPIENTS and BACKUP_PASSPHRASE are both set',
      ],
      [{ BACKUP_RECIPIENTS }, [], 2, 'Use: npm run backup -- FILE [--without-key] [--json]\n'],
      [{ BACKUP_RECIPIENTS }, [none, none], 2, 'Use: '],
      [{ BACKUP_RECIPIENTS }, [none, '--password=x'], 2, 'Use: '],
    ]
    // The others end before they know which database there is.
    for (const [more, args, code, err] of cases.slice(0, kind === 'embedded' ? undefined : 3)) {
      const ended = await runCommand('backup', { ...env, ...more }, ...args)
      expect(ended, err).toMatchObject({ code, out: '' })
      expect(ended.err).toContain(err)
    }
    await inDatabaseOf(env, async (db) => {
      await sql`insert into migrations (name, timestamp) values ('9999_later.sql', '')`.execute(db)
    })
    expect(await runCommand('backup', { ...env, BACKUP_RECIPIENTS }, none)).toMatchObject({
      ...{ code: 1, out: '' },
      err: expect.stringMatching(/^Backup failed: This database was made by a newer version .* was not written\.\n$/),
    })
    expect([none, `${none}.part`].map((left) => existsSync(left))).toEqual([false, false])
    expect(readFileSync(taken, 'utf8')).toBe('something else')
  })
})

test('a backup of PostgreSQL for which the disk has no room in the middle of its rows fails, and leaves nothing', async () => {
  await failsOnFullDisk((await installations.filled('PostgreSQL', { rows: 5_000 })).env)
})
