import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Decrypter } from 'age-encryption'
import type { Config } from '../../config.ts'
import { createDatabase, openPglite } from '../../db/embedded.ts'
import { decideForDatabase, replaceDatabase, restoringIn } from '../../db/replace-database.ts'
import { listSnapshots, timeInName } from '../../db/snapshot-files.ts'
import { randomToken, readSecretKey, secretKeyIn } from '../../lib/secrets.ts'
import { copyableFolder, inCopyablePostgres } from './copyable-database.ts'
import type { Encryption } from './encryption.ts'
import { makeBackup } from './make-backup.ts'
import { dropOwnTables, isEmptySchema } from './own-tables.ts'
import { type CheckedBackup, NotRestored, readEntries } from './read-backup.ts'
import { type RestoredRows, restoreRows } from './restore-rows.ts'
import { StagedFiles } from './staged-files.ts'

interface Options {
  config: Config
  file: string
  decrypter: Decrypter
  backup: CheckedBackup
  mayReplace: boolean
  /** Encrypts a backup of what is replaced in PostgreSQL. */
  encryption: Encryption | null
  /** Called if the database that is being built fails for good. */
  onPanic(reason: string): void
}

/** A restore of which the database has not said whether it was done. The message is all that is said. */
export class OutcomeUnknown extends Error {}

export interface Restored extends RestoredRows {
  /** The names in DATA_DIR of what was there before. */
  kept: string[]
}

/** A backup of what is replaced in PostgreSQL. */
const UNFINISHED = /^replaced-.+\.tar\.age\.part$/

const NOT_EMPTY = 'this installation is not empty; add --replace to put FILE in its place'

/**
 * Builds a checked backup beside what is there, and puts it in its place once it is whole. The caller has made sure that no
 * server runs, and that none starts meanwhile. Killed at any moment, it leaves the one or the other.
 */
export async function restoreBackup(options: Options): Promise<Restored> {
  const { DATA_DIR, DATABASE_URL } = options.config
  const restoring = restoringIn(DATA_DIR)
  await removeLeft(DATA_DIR)
  await mkdir(restoring, { recursive: true, mode: 0o700 })
  try {
    return await (DATABASE_URL ? restoreToPostgres(options, DATABASE_URL) : restoreToFolder(options))
  } finally {
    await rm(restoring, { recursive: true, force: true })
  }
}

/** Removes what a killed run has left. */
async function removeLeft(dataDir: string): Promise<void> {
  await rm(restoringIn(dataDir), { recursive: true, force: true })
  for (const name of await readdir(dataDir)) if (UNFINISHED.test(name)) await rm(join(dataDir, name))
}

async function restoreToFolder(options: Options): Promise<Restored> {
  const { config, file, decrypter, backup, mayReplace, onPanic } = options
  const { DATA_DIR } = config
  await replaceDatabase(DATA_DIR) // the end of a restore that was killed
  const present = join(DATA_DIR, 'pglite')
  const isThere = (existsSync(present) && readdirSync(present).length > 0) || (await listSnapshots(DATA_DIR)).length > 0
  if (isThere && !mayReplace) throw new NotRestored(NOT_EMPTY.replace('FILE', file))
  const folder = join(restoringIn(DATA_DIR), 'pglite')
  await createDatabase(folder)
  const files = new StagedFiles(DATA_DIR, join(restoringIn(DATA_DIR), 'files'))
  const ownKey = config.SECRET_KEY ?? (await readSecretKey(DATA_DIR)) ?? randomToken(48)
  const pglite = await openPglite(folder, { onPanic })
  const entries = readEntries(file, decrypter)
  const onFile = files.add.bind(files)
  const rows = await copyableFolder(pglite)
    .then((database) => restoreRows(database, { file, backup, entries, ownKey, onFile }))
    .finally(() => pglite.close())
  if (!config.SECRET_KEY) await secretKeyIn(DATA_DIR, async () => true, ownKey)
  await files.move()
  await decideForDatabase(DATA_DIR, folder)
  return { ...rows, kept: await replaceDatabase(DATA_DIR) }
}

async function restoreToPostgres(options: Options, url: string): Promise<Restored> {
  const { config, file, decrypter, backup, mayReplace, encryption } = options
  const { DATA_DIR, SECRET_KEY: ownKey = '' } = config
  const isEmpty = await inCopyablePostgres(url, 'read only', ({ db }) => isEmptySchema(db))
  if (!isEmpty && !mayReplace) throw new NotRestored(NOT_EMPTY.replace('FILE', file))
  const kept = isEmpty ? [] : [`replaced-${timeInName(new Date())}.tar.age`]
  for (const name of kept) {
    if (!encryption)
      throw new NotRestored('set BACKUP_RECIPIENTS or BACKUP_PASSPHRASE, for the backup of what is there now')
    const keep = { config, file: join(DATA_DIR, name), withKey: true, encryption, onCopy() {}, call: async () => [] }
    await makeBackup(keep).catch((error: unknown) => {
      throw new NotRestored(`what is there now cannot be backed up: ${error instanceof Error ? error.message : error}`)
    })
  }
  const files = new StagedFiles(DATA_DIR, join(restoringIn(DATA_DIR), 'files'))
  let isCommitting = false
  const rows = await inCopyablePostgres(url, 'read write', async (database) => {
    await dropOwnTables(database.db)
    const entries = readEntries(file, decrypter)
    const onFile = files.add.bind(files)
    const restored = await restoreRows(database, { file, backup, entries, ownKey, onFile })
    await files.move() // before the commit: a file without a row does no harm
    isCommitting = true
    return restored
  }).catch(async (error: unknown) => {
    if (isCommitting) throw new OutcomeUnknown(unknownOutcome(file, DATA_DIR, kept))
    for (const name of kept) await rm(join(DATA_DIR, name), { force: true }) // nothing was replaced
    throw error
  })
  return { ...rows, kept }
}

const unknownOutcome = (file: string, dataDir: string, kept: string[]) =>
  [
    `The database did not say whether ${file} was restored. Restore it once more, with --replace.`,
    ...(kept.length > 0 ? [`What was there before is in ${dataDir}: ${kept.join(', ')}.`] : []),
  ].join(' ')
