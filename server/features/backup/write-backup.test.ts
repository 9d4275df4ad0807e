import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setup } from '../../../test/servers/setup.ts'
import { AppError } from '../../errors.ts'
import { BACKUP_TABLES } from './backup-tables.ts'
import { backupCommand } from './command.ts'
import { findEncryption } from './encryption.ts'
import { findListedFiles } from './stored-files.ts'
import { writeBackup } from './write-backup.ts'

const server = await setup()
const recipient = await identityToRecipient(await generateX25519Identity())
const encryption = findEncryption({ BACKUP_RECIPIENTS: [recipient], BACKUP_PASSPHRASE: undefined })

test('names every table of the product, each after those that it refers to', async () => {
  const { rows } = await sql<{ name: string; refers_to: string }>`
    select conrelid::regclass::text as name, confrelid::regclass::text as refers_to
    from pg_constraint where contype = 'f' and conrelid <> confrelid`.execute(server.deps.db)
  expect(rows.length).toBeGreaterThan(20)
  const kept = rows.filter(({ name }) => BACKUP_TABLES.includes(name))
  const late = kept.filter((row) => BACKUP_TABLES.indexOf(row.refers_to) > BACKUP_TABLES.indexOf(row.name))
  expect(late).toEqual([])
  expect(kept.filter(({ refers_to }) => !BACKUP_TABLES.includes(refers_to))).toEqual([])
})

test('a database that cannot be copied is a refusal with its reason, and leaves no part of the copy', async () => {
  const { config } = server.deps // without an embedded database
  const copying = backupCommand(server.deps, { action: 'copy_database' })
  await expect(copying).rejects.toThrow(AppError)
  await expect(copying).rejects.toThrow('the database cannot be copied: ENOENT')
  expect(await readdir(join(config.DATA_DIR, 'snapshots'))).toEqual([])
})

test('notes a file whose row was deleted meanwhile, and fails for one whose row is there', async () => {
  const { db, config } = server.deps
  if (!encryption) throw new Error('There is no encryption')
  const { id: host_id } = await db
    .insertInto('hosts')
    .values({ username: 'a', username_key: 'a', email: 'a@x.example', email_key: 'a@x.example', password_hash: 'h' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const logo = `logos/${'0'.repeat(32)}.png`
  await db
    .insertInto('app_info')
    .values({ host_id, logo_url: `/${logo}` })
    .execute()
  const source = {
    database: { engine: 'postgresql' as const, db, async *copyOut() {}, async copyIn() {} },
    dataDir: config.DATA_DIR,
    secretKey: null,
    madeAt: new Date(),
  }
  const file = join(config.DATA_DIR, 'backup.tar.age')
  const findListed = (paths: string[]) => findListedFiles(db, paths)
  await expect(writeBackup(file, { ...source, findListed }, encryption)).rejects.toThrow(`${logo} is missing`)
  expect([file, `${file}.part`].map((path) => existsSync(path))).toEqual([false, false])
  const deleteIt = async (paths: string[]) => {
    await db.deleteFrom('app_info').execute()
    return findListed(paths)
  }
  expect(await writeBackup(file, { ...source, findListed: deleteIt }, encryption)).toMatchObject({ files: 0, gone: 1 })
})

test('of two runs to the same file the later one writes it', async () => {
  const { config, db } = server.deps
  if (!encryption) throw new Error('There is no encryption')
  const file = join(config.DATA_DIR, 'same.tar.age')
  const begin = async () => {
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    async function* copyOut() {
      reached.resolve()
      await goOn.promise
      yield new Uint8Array()
    }
    const database = { engine: 'postgresql' as const, db, copyOut, async copyIn() {} }
    const source = {
      database,
      dataDir: config.DATA_DIR,
      secretKey: null,
      madeAt: new Date(),
      findListed: async () => [],
    }
    const outcome = writeBackup(file, source, encryption).catch((error: Error) => error.message)
    await reached.promise
    return { outcome, goOn: goOn.resolve }
  }
  const first = await begin()
  const second = await begin()
  first.goOn()
  expect(await first.outcome).toBe('another run writes the same file')
  second.goOn()
  expect(await second.outcome).toMatchObject({ files: 0 })
  expect([file, `${file}.part`].map((path) => existsSync(path))).toEqual([true, false])
})
