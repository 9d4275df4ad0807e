import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BadSetting, type Config } from '../config.ts'
import { movedMarkIn, requireFinishedKey } from '../db/data-dir-marks.ts'
import { openEmbedded, openPglite } from '../db/embedded.ts'
import { requireCurrentSchema } from '../db/migrate.ts'
import { type CopyableDatabase, copyableFolder } from '../features/backup/copyable-database.ts'
import { moveDatabase, NotMoved } from '../features/backup/move-database.ts'
import { ForeignTables } from '../features/backup/own-tables.ts'
import { readSecrets } from '../features/backup/stored-secrets.ts'
import { writeDurably } from '../lib/durable-files.ts'
import { readSecretKey, secretsFrom } from '../lib/secrets.ts'
import type { CommandOutcome } from './execute.ts'
import { InstallationInUse, lockInstallation } from './lock-installation.ts'
import { dataDirFault, printLine, printOutcome, refusalIn } from './run-command.ts'

const USAGE = 'Use: npm run move-to-postgres'
const OTHER_KEY = 'SECRET_KEY is not the key of DATA_DIR; set SECRET_KEY_FILE to DATA_DIR/secret.key'

if (hasNoArgs()) await printOutcome(move)
else {
  printLine(USAGE)
  process.exitCode = 2
}

function hasNoArgs(): boolean {
  try {
    parseArgs({ options: {} })
    return true
  } catch {
    return false
  }
}

async function move(config: Config): Promise<CommandOutcome> {
  const { DATA_DIR, DATABASE_URL, SECRET_KEY = '' } = config
  if (!DATABASE_URL) throw new BadSetting('Not moved: set DATABASE_URL to the address of an empty database.')
  try {
    const fault = dataDirFault(DATA_DIR)
    if (fault) return { refusal: fault }
    const unlock = await lockInstallation({ DATA_DIR, DATABASE_URL: undefined }, 'Not moved')
    const unlockPostgres = await lockInstallation(config, 'Not moved').catch(async (error: unknown) => {
      await unlock()
      throw error
    })
    try {
      requireFinishedKey(DATA_DIR)
      const line = await inFolder(DATA_DIR, async (source) => {
        if (!(await isOwnKey(source, DATA_DIR, SECRET_KEY))) throw new NotMoved(OTHER_KEY)
        const { tables, rows, isNew } = await moveDatabase(source, DATABASE_URL)
        if (isNew) return `Moved to PostgreSQL: ${tables} tables, ${rows} rows, all equal.`
        return `Nothing to do: PostgreSQL holds the same ${tables} tables, ${rows} rows.`
      })
      const mark = `${JSON.stringify({ moved_at: new Date().toISOString() })}\n`
      if (!existsSync(movedMarkIn(DATA_DIR))) await writeDurably(movedMarkIn(DATA_DIR), mark)
      return { lines: [line] }
    } finally {
      await unlockPostgres()
      await unlock()
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof BadSetting) process.exitCode = 2
    const isReason = [NotMoved, InstallationInUse, ForeignTables].some((kind) => error instanceof kind)
    const reason = (isReason ? null : refusalIn(error)) ?? error.message
    return { refusal: `Not moved: ${reason.replace(/\.$/, '')}.` }
  }
}

/** Opens the embedded database, which is only read. */
async function inFolder<T>(dataDir: string, work: (source: CopyableDatabase) => Promise<T>): Promise<T> {
  const onPanic = (reason: string) => {
    printLine(`Not moved: ${reason}.`)
    process.exit(1)
  }
  await (await openEmbedded(dataDir, { restore: false, print: printLine, onPanic })).destroy() // checks it
  const pglite = await openPglite(join(dataDir, 'pglite'), { onPanic })
  try {
    const source = await copyableFolder(pglite)
    await requireCurrentSchema(source.db)
    return await work(source)
  } finally {
    await pglite.close()
  }
}

/** True for the key in the folder, or for one that opens what is stored. */
async function isOwnKey({ db }: CopyableDatabase, dataDir: string, key: string): Promise<boolean> {
  const inFile = await readSecretKey(dataDir)
  if (inFile === key) return true
  const { readable, unreadable } = await readSecrets(db, secretsFrom(key))
  return unreadable === 0 && (readable > 0 || inFile === null)
}
