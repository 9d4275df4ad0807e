import { execFileSync } from 'node:child_process'
import { createHash, hash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { zstdDecompressSync } from 'node:zlib'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { beforeAll, describe, expect, test } from 'vitest'
import { BackupManifest } from '../../server/features/backup/backup-format.ts'
import { BACKUP_TABLES } from '../../server/features/backup/backup-tables.ts'
import { buildMachines, type Machines } from '../faults/machine.ts'
import { startPostgres } from '../servers/postgres.ts'
import { type DataFolder, dataFolder, emptyDataFolder, startServerProcess } from '../servers/server-process.ts'
import { fill, inDatabaseOf, PASSPHRASE, runCommand, type World } from './backup-world.ts'

const KEY = randomBytes(32).toString('base64url')
const identity = await generateX25519Identity()
const BACKUP_RECIPIENTS = await identityToRecipient(identity)
const WRITTEN = new RegExp(
  `^Backup written: (.+), ${BACKUP_TABLES.length} tables, (\\d+) rows, (\\d+) files, (\\d+\\.\\d MB), `,
)

let out: DataFolder
let keyFile: string
beforeAll(async () => {
  out = await emptyDataFolder()
  keyFile = join(out.path, 'key.txt')
  await writeFile(keyFile, `# a comment\n${identity}\n`)
  return () => out.remove()
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

describe.each(['the embedded database', 'PostgreSQL'])('a backup of %s', (engine) => {
  let env: Record<string, string>
  let world: World
  beforeAll(async () => {
    const folder = await dataFolder()
    if (engine === 'PostgreSQL') {
      const postgres = await startPostgres()
      env = { DATA_DIR: folder.path, DATABASE_URL: postgres.urlOf('postgres'), SECRET_KEY: KEY, ZOOM_DEMO: 'true' }
      world = await fill(env)
      return () => Promise.all([folder.remove(), postgres.stop()])
    }
    env = { DATA_DIR: folder.path }
    world = await fill(env)
    return folder.remove
  })

  test('that runs opens with age and tar, and has all rows, files and the key', async () => {
    const server = await startServerProcess(env)
    const file = newFile()
    try {
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
    } finally {
      await server.kill('SIGTERM')
    }
    const made = await inDatabaseOf(env, (db) =>
      db.selectFrom('audit').selectAll().where('action', '=', 'backup_made').execute(),
    )
    expect(made).toMatchObject([
      { actor_role: 'system', after: { command: 'backup', tables: BACKUP_TABLES.length, files: 4 } },
    ])
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
      db.selectFrom('audit').selectAll().where('action', '=', 'backup_failed').execute(),
    )
    expect(failed?.after).toEqual({ command: 'backup', reason: `${path} is missing, or not as long as it was` })
  })

  test('is refused where it cannot be made', async () => {
    const taken = newFile()
    await writeFile(taken, 'something else')
    const none = newFile()
    const cases: [Record<string, string>, string[], number, string][] = [
      [{ BACKUP_RECIPIENTS }, [taken], 1, `Not backed up: ${taken} exists.\n`],
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
      [{ BACKUP_RECIPIENTS }, ['/nowhere/at/all'], 1, 'Backup failed: ENOENT: '],
    ]
    for (const [more, args, code, err] of cases) {
      const ended = await runCommand('backup', { ...env, ...more }, ...args)
      expect(ended, err).toMatchObject({ code, out: '' })
      expect(ended.err).toContain(err)
    }
    expect([none, `${none}.part`].map((left) => existsSync(left))).toEqual([false, false])
    expect(readFileSync(taken, 'utf8')).toBe('something else')
  })
})

test.each(['the embedded database', 'PostgreSQL'])(
  'a server on %s makes one by itself in BACKUP_TO',
  async (engine) => {
    const [folder, to] = await Promise.all([dataFolder(), emptyDataFolder()])
    const postgres = engine === 'PostgreSQL' ? await startPostgres() : null
    const database = postgres && { DATABASE_URL: postgres.urlOf('postgres'), SECRET_KEY: KEY, ZOOM_DEMO: 'true' }
    const env = { DATA_DIR: folder.path, ...database }
    const server = await startServerProcess({ ...env, BACKUP_TO: to.path, BACKUP_RECIPIENTS })
    const names = () => readdirSync(to.path)
    await expect.poll(names).toEqual([expect.stringMatching(/^parley-[\d-]+T[\d-]+Z\.tar\.age$/)])
    const file = join(to.path, names()[0] ?? '')
    const checked = await runCommand('restore', env, file, '--check', '--identity', keyFile)
    expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('Backup is whole: ') })
    await server.kill('SIGTERM')
    expect(server.child.exitCode).toBe(0)
    await Promise.all([folder.remove(), to.remove(), postgres?.stop()])
  },
)

describe('a backup for which the disk has no room fails, and leaves nothing', () => {
  let machines: Machines
  beforeAll(async () => {
    machines = await buildMachines()
    return () => machines.remove()
  })

  async function fails(env: Record<string, string>): Promise<void> {
    const machine = await machines.create(`backup ${++files}`)
    await machine.setDiskFull(true)
    const file = newFile()
    expect(await runCommand('backup', { ...env, BACKUP_RECIPIENTS, ...machine.env }, file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Backup failed: .*no space left on device.* was not written\.\n$/i),
    })
    expect([file, `${file}.part`].map((left) => existsSync(left))).toEqual([false, false])
  }

  test('in the middle of the copy of an embedded database', async () => {
    const folder = await dataFolder()
    await fill({ DATA_DIR: folder.path })
    const server = await startServerProcess({ DATA_DIR: folder.path })
    try {
      await fails({ DATA_DIR: folder.path })
      expect(readdirSync(join(folder.path, 'snapshots')).filter((name) => name.endsWith('.copy'))).toEqual([])
    } finally {
      await server.kill('SIGKILL')
      await folder.remove()
    }
  })

  test('in the middle of the rows of PostgreSQL', async () => {
    const folder = await dataFolder()
    const postgres = await startPostgres()
    const env = { DATA_DIR: folder.path, DATABASE_URL: postgres.urlOf('postgres'), SECRET_KEY: KEY, ZOOM_DEMO: 'true' }
    await fill(env, 5_000)
    await fails(env)
    await Promise.all([postgres.stop(), folder.remove()])
  })
})
