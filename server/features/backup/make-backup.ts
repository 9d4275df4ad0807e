import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { openPglite } from '../../db/embedded.ts'
import { AppError } from '../../errors.ts'
import type { BackupCommand } from './command.ts'
import { copyableFolder, inCopyablePostgres } from './copyable-database.ts'
import type { Encryption } from './encryption.ts'
import { type BackupSource, type BackupSummary, writeBackup } from './write-backup.ts'

/** Few enough for one call to a server. */
const PATHS_AT_ONCE = 200

interface Options {
  config: Config
  file: string
  withKey: boolean
  encryption: Encryption
  /** Reaches the process that has the database open. Throws an AppError where it refuses. */
  call(command: BackupCommand): Promise<string[]>
  /** Called with a folder that has to go, however this process ends. */
  onCopy(folder: string): void
}

/** Writes a backup of the installation, whether a server runs or not. */
export async function makeBackup({ config, file, withKey, encryption, call, onCopy }: Options): Promise<BackupSummary> {
  const { DATABASE_URL, DATA_DIR: dataDir } = config
  const source: Omit<BackupSource, 'database'> = {
    dataDir,
    secretKey: withKey ? await keyOf(config) : null,
    madeAt: new Date(),
    async findListed(paths) {
      const listed: string[] = []
      for (let at = 0; at < paths.length; at += PATHS_AT_ONCE)
        listed.push(...(await call({ action: 'find_listed', paths: paths.slice(at, at + PATHS_AT_ONCE) })))
      return listed
    },
  }
  return DATABASE_URL
    ? await inCopyablePostgres(DATABASE_URL, 'read only', (database) =>
        writeBackup(file, { ...source, database }, encryption),
      )
    : await fromCopy()

  async function fromCopy(): Promise<BackupSummary> {
    const [copy] = await call({ action: 'copy_database' })
    if (copy === undefined) throw new Error('the server made no copy of the database')
    onCopy(copy)
    try {
      const pglite = await openPglite(copy)
      const database = await copyableFolder(pglite)
      return await writeBackup(file, { ...source, database }, encryption).finally(() => pglite.close())
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  }
}

async function keyOf({ SECRET_KEY, DATA_DIR }: Config): Promise<string> {
  if (SECRET_KEY) return SECRET_KEY
  const path = join(DATA_DIR, 'secret.key')
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    throw new AppError('not_found', `${path} cannot be read; put it back, or add --without-key`)
  }
}
