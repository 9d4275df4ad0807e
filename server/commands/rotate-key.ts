import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BadSetting, type Config } from '../config.ts'
import { type Db, withoutTimeout } from '../db/client.ts'
import { newKeyIn, requireNotMoved, UNFINISHED_KEY } from '../db/data-dir-marks.ts'
import { openEmbedded } from '../db/embedded.ts'
import { identityOf } from '../db/installation-identity.ts'
import { requireCurrentSchema } from '../db/migrate.ts'
import { syncAll } from '../db/replace-database.ts'
import { Snapshots } from '../db/snapshots.ts'
import { changeKey, findKeyChange, type KeyChange, previewKeyChange } from '../features/backup/change-key.ts'
import { syncPath, writeDurably } from '../lib/durable-files.ts'
import { randomToken, readSecretKey, SecretKeyMissing, type Secrets, secretsFrom } from '../lib/secrets.ts'
import { forgetFiles } from '../plugins/console-pages/kept-files.ts'
import type { CommandOutcome } from './execute.ts'
import { InstallationInUse, lockInstallation } from './lock-installation.ts'
import { dataDirFault, printLine, printOutcome, refusalIn } from './run-command.ts'

const USAGE = 'Use: npm run rotate-key [-- --yes]'
const DRAFT = /^secret\.key\.(new|old)\.[\w-]{8}$/

const isMeant = readArgs()
if (isMeant === null) {
  printLine(USAGE)
  process.exitCode = 2
} else await printOutcome((config) => rotate(config, isMeant))

function readArgs(): boolean | null {
  try {
    return parseArgs({ options: { yes: { type: 'boolean', default: false } } }).values.yes
  } catch {
    return null
  }
}

async function rotate(config: Config, isMeant: boolean): Promise<CommandOutcome> {
  try {
    const fault = config.DATABASE_URL ? null : dataDirFault(config.DATA_DIR)
    if (fault) return { refusal: fault }
    const release = await lockInstallation(config, 'Not rotated')
    try {
      requireNotMoved(config)
      return await inDatabase(config, (db) => change(config, db, isMeant))
    } finally {
      await release()
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof BadSetting) process.exitCode = 2
    const reason = (error instanceof InstallationInUse ? null : refusalIn(error)) ?? error.message
    return { refusal: `Not rotated: ${reason.replace(/\.$/, '')}.` }
  }
}

async function inDatabase<T>({ DATABASE_URL, DATA_DIR }: Config, work: (db: Db) => Promise<T>): Promise<T> {
  if (DATABASE_URL) return withoutTimeout(DATABASE_URL, work)
  const onPanic = (reason: string) => {
    printLine(`Not rotated: ${reason}. Make room, then run this again.`)
    process.exit(1)
  }
  const db = await openEmbedded(DATA_DIR, { restore: false, print: printLine, onPanic })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Killed at any moment, it leaves the database under the old key or the new one, and both keys on the disk. */
async function change(config: Config, db: Db, isMeant: boolean): Promise<CommandOutcome> {
  const { DATA_DIR } = config
  await requireCurrentSchema(db)
  const started = await readNewKey(DATA_DIR)
  const done = started === null ? null : await findKeyChange(db, secretsFrom(started))
  if (done && !isMeant) return { refusal: UNFINISHED_KEY }
  const ownKey = config.SECRET_KEY ?? (await readSecretKey(DATA_DIR))
  if (ownKey === null) throw new SecretKeyMissing(join(DATA_DIR, 'secret.key'))
  const from = secretsFrom(ownKey)
  if (started !== null && done) return finish(config, db, from, started, done)

  const { unreadable, reencrypted, sessions, links } = await previewKeyChange(db, from, Date.now())
  if (unreadable > 0) return { refusal: `Not rotated: ${unreadable} secrets cannot be read with this key.` }
  if (!isMeant) {
    const effect = `Would re-encrypt ${reencrypted} secrets, end ${sessions} sessions and void ${links} links`
    return { refusal: `${effect}; add --yes to do it.` }
  }
  const newKey = started ?? randomToken(48)
  await writeDurably(newKeyIn(DATA_DIR), newKey)
  const to = secretsFrom(newKey)
  try {
    const changed = await db.transaction().execute((tx) => changeKey(tx, from, to, Date.now))
    return await finish(config, db, from, newKey, changed)
  } catch (error) {
    const found = await findKeyChange(db, to).catch(() => undefined)
    if (found === null) await rm(newKeyIn(DATA_DIR), { force: true }) // nothing was changed
    throw found === null ? error : new Error(`${reasonOf(error)}; run this again to finish it`, { cause: error })
  }
}

/** Makes the new key the installation's. Each step may be repeated. */
async function finish(config: Config, db: Db, from: Secrets, key: string, done: KeyChange): Promise<CommandOutcome> {
  const { DATA_DIR, DATABASE_URL, SECRET_KEY } = config
  if (!DATABASE_URL) {
    const snapshots = await Snapshots.start({ dataDir: DATA_DIR, db, log: { info() {}, error() {} } })
    await snapshots.takeAlone()
    await snapshots.close()
    await syncAll(join(DATA_DIR, 'pglite'))
  }
  await forgetFiles(DATA_DIR)
  const hint = await forgetRedis(config, db, from)
  for (const name of await readdir(DATA_DIR)) if (DRAFT.test(name)) await rm(join(DATA_DIR, name)) // of killed runs
  const { reencrypted, sessions, links } = done
  const lines = [
    `Key changed: ${reencrypted} secrets re-encrypted, ${sessions} sessions ended, ${links} links void. Start every server again.`,
  ]
  if (SECRET_KEY) {
    await print([...lines, `SECRET_KEY=${key}`, ...hint])
    await rm(newKeyIn(DATA_DIR))
    await syncPath(DATA_DIR)
    return { lines: [] }
  }
  await keepOldKey(DATA_DIR)
  await rename(newKeyIn(DATA_DIR), join(DATA_DIR, 'secret.key'))
  await syncPath(DATA_DIR)
  return { lines: [...lines, ...hint] }
}

/** Copies the present key, so that there is one at every moment. */
async function keepOldKey(dataDir: string): Promise<void> {
  await writeDurably(join(dataDir, 'secret.key.old'), await readFile(join(dataDir, 'secret.key'), 'utf8'))
}

/** Returns null where no change has begun. */
async function readNewKey(dataDir: string): Promise<string | null> {
  const path = newKeyIn(dataDir)
  return existsSync(path) ? (await readFile(path, 'utf8')).trim() : null
}

/** Returns what has to be done by hand. Redis holds the mark of servers with the old key for a minute. */
async function forgetRedis({ REDIS_URL }: Config, db: Db, secrets: Secrets): Promise<string[]> {
  if (!REDIS_URL) return []
  const { SharedRedis } = await import('../redis/shared-redis.ts')
  const identity = await identityOf(db, secrets)
  const redis = new SharedRedis({ url: REDIS_URL, identity, secrets, onUnreadable() {} })
  try {
    if (!(await redis.connect())) throw new Error('Redis does not answer')
    await redis.forgetIdentity()
    return []
  } catch {
    return ['Redis did not answer: wait a minute before you start a server, or empty Redis.']
  } finally {
    redis.close()
  }
}

/** Resolves once the lines are written: the key in them is removed from the disk after that. */
async function print(lines: string[]): Promise<void> {
  process.stdout.on('error', () => {}) // the write fails too
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(lines.map((line) => `${line}\n`).join(''), (error) => (error ? reject(error) : resolve()))
  })
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
