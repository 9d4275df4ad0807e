import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { BadSetting, type Config, readConfig } from '../config.ts'
import { type Db, isDatabaseUnusable, openPostgres } from '../db/client.ts'
import { DataDirInUse, lockDataDir } from '../db/data-dir-lock.ts'
import { NotUsableYet, requireFinishedKey, requireNotMoved } from '../db/data-dir-marks.ts'
import { DatabaseClock } from '../db/database-clock.ts'
import { CannotOpenDatabase, openEmbedded } from '../db/embedded.ts'
import { requireOwnKey } from '../db/installation-key.ts'
import { NewerDatabase, OtherSchema, requireCurrentSchema } from '../db/migrate.ts'
import { endSessionRows } from '../features/auth/session-rows.ts'
import type { Clock } from '../lib/clock.ts'
import { readSecretKey, secretsFrom } from '../lib/secrets.ts'
import { anotherUsers, callServer } from './control-socket.ts'
import { type CommandCall, type CommandDeps, type CommandOutcome, execute } from './execute.ts'

/** The time for a server to begin or end, and for another command. */
const IN_USE_MS = 15_000
const RETRY_MS = 200
const REFUSALS = [CannotOpenDatabase, DataDirInUse, NewerDatabase, NotUsableYet, OtherSchema]

/** The installation that the settings name, reached through its server, or its database. */
export interface ReachedInstallation {
  call(call: CommandCall): Promise<CommandOutcome>
  close(): Promise<void>
}

/** Runs a command for a program, prints its end, and sets the exit code: 0 done, 1 refused or failed, 2 bad settings. */
export async function runCommand(call: CommandCall): Promise<void> {
  await printOutcome(async (config) => {
    const installation = openInstallation(config)
    return await installation.call(call).finally(() => installation.close())
  })
}

/** Prints the end of `work`, and sets the exit code. */
export async function printOutcome(work: (config: Config) => Promise<CommandOutcome>): Promise<void> {
  const outcome = await outcomeOf(work)
  if ('refusal' in outcome) printLine(outcome.refusal)
  else process.stdout.write(outcome.lines.map((line) => `${line}\n`).join(''))
  if ('refusal' in outcome) process.exitCode ??= 1
}

async function outcomeOf(work: (config: Config) => Promise<CommandOutcome>): Promise<CommandOutcome> {
  try {
    return await work(readConfig(process.env))
  } catch (error) {
    const refusal = refusalIn(error) ?? (isNoRoom(error) ? `The disk is full (${error.message}).` : null)
    if (refusal === null) throw error
    if (error instanceof BadSetting) process.exitCode = 2
    return { refusal }
  }
}

const isNoRoom = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/** Returns the line for an error that the operator can do something about; null for any other. */
export function refusalIn(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof BadSetting || REFUSALS.some((kind) => error instanceof kind)) return error.message
  return isDatabaseUnusable(error) ? `The database at DATABASE_URL cannot be used: ${error.message}` : null
}

export function openInstallation(config: Config): ReachedInstallation {
  requireFinishedKey(config.DATA_DIR)
  requireNotMoved(config)
  return config.DATABASE_URL ? inPostgres(config, config.DATABASE_URL) : inDataDir(config)
}

function inPostgres(config: Config, url: string): ReachedInstallation {
  const db = openPostgres(url)
  let clock: DatabaseClock | null = null
  return {
    async call(call) {
      if (config.REDIS_URL) clock ??= await DatabaseClock.start(db)
      return inDatabase(config, db, call, clock?.now ?? Date.now)
    },
    async close() {
      clock?.close()
      await db.destroy()
    },
  }
}

/** Asks the server that has the folder open; without one, opens it and keeps it. */
function inDataDir(config: Config): ReachedInstallation {
  const { DATA_DIR } = config
  let own: { db: Db; unlock: () => void } | null = null
  return {
    async call(call) {
      const refusal = own ? null : dataDirFault(DATA_DIR)
      if (refusal) return { refusal }
      for (const until = Date.now() + IN_USE_MS; !own; await delay(RETRY_MS)) {
        const answer = await callServer(DATA_DIR, call)
        if (answer) return answer
        const unlock = tryLock(DATA_DIR, Date.now() < until)
        if (!unlock) continue
        try {
          own = { db: await openEmbedded(DATA_DIR, { restore: false, print: printLine, onPanic: panic }), unlock }
          break
        } catch (error) {
          unlock()
          throw error
        }
      }
      return inDatabase(config, own.db, call, Date.now)
    },
    async close() {
      await own?.db.destroy()
      own?.unlock()
    },
  }
}

/** Returns why there is no embedded database that this user may open; null if there is one. */
export function dataDirFault(dataDir: string): string | null {
  try {
    accessSync(join(dataDir, 'pglite'), constants.R_OK | constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return anotherUsers(dataDir)
    return `There is no database in ${dataDir} yet. Start the server once, then repeat this.`
  }
}

/** Returns null while another process has the folder, which may be a server that begins. */
function tryLock(dataDir: string, mayWait: boolean): (() => void) | null {
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    if (mayWait && error instanceof DataDirInUse) return null
    throw error
  }
}

async function inDatabase(config: Config, db: Db, call: CommandCall, now: Clock): Promise<CommandOutcome> {
  await requireCurrentSchema(db)
  const key = config.SECRET_KEY ?? (await readSecretKey(config.DATA_DIR))
  if (key !== null) await requireOwnKey(db, secretsFrom(key), config.SECRET_KEY !== undefined)
  const sessions: CommandDeps['sessions'] = {
    endRows: (tx, filter, reason) => endSessionRows(tx, filter, reason, now()),
    forget() {}, // servers that run see it in the database
  }
  return execute({ config, db, now, sessions }, call)
}

export function printLine(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Ends the process, because the next query would never return. */
function panic(reason: string): void {
  printLine(`The database failed: ${reason}.`)
  process.exit(1)
}
