import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { BadSetting, type Config, readConfig } from '../config.ts'
import { type Db, isDatabaseGone, openPostgres } from '../db/client.ts'
import { DataDirInUse, lockDataDir } from '../db/data-dir-lock.ts'
import { DatabaseClock } from '../db/database-clock.ts'
import { CannotOpenDatabase, openEmbedded } from '../db/embedded.ts'
import { NewerDatabase, OtherSchema, requireCurrentSchema } from '../db/migrate.ts'
import { endSessionRows } from '../features/auth/session-rows.ts'
import type { Clock } from '../lib/clock.ts'
import { anotherUsers, callServer } from './control-socket.ts'
import { type CommandCall, type CommandDeps, type CommandOutcome, execute } from './execute.ts'

/** The time for a server to begin or end, and for another command. */
const IN_USE_MS = 15_000
const RETRY_MS = 200
const REFUSALS = [CannotOpenDatabase, DataDirInUse, NewerDatabase, OtherSchema]

/** Runs a command for a program, prints its end, and sets the exit code: 0 done, 1 refused or failed, 2 bad settings. */
export async function runCommand(call: CommandCall): Promise<void> {
  const outcome = await outcomeOf(call)
  if ('refusal' in outcome) printLine(outcome.refusal)
  else process.stdout.write(outcome.lines.map((line) => `${line}\n`).join(''))
  if ('refusal' in outcome) process.exitCode ??= 1
}

async function outcomeOf(call: CommandCall): Promise<CommandOutcome> {
  try {
    const config = readConfig(process.env)
    return config.DATABASE_URL ? await inPostgres(config, config.DATABASE_URL, call) : await inDataDir(config, call)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof BadSetting) process.exitCode = 2
    else if (isDatabaseGone(error)) return { refusal: `The database at DATABASE_URL cannot be used: ${error.message}` }
    else if (!REFUSALS.some((kind) => error instanceof kind)) throw error
    return { refusal: error.message }
  }
}

async function inPostgres(config: Config, url: string, call: CommandCall): Promise<CommandOutcome> {
  const db = openPostgres(url)
  try {
    const clock = config.REDIS_URL ? await DatabaseClock.start(db) : null
    return await inDatabase(config, db, call, clock?.now ?? Date.now)
  } finally {
    await db.destroy()
  }
}

/** Asks the server that has the folder open; without one, opens it. */
async function inDataDir(config: Config, call: CommandCall): Promise<CommandOutcome> {
  const { DATA_DIR } = config
  try {
    accessSync(join(DATA_DIR, 'pglite'), constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return { refusal: anotherUsers(DATA_DIR) }
    return { refusal: `There is no database in ${DATA_DIR} yet. Start the server once, then repeat this.` }
  }
  for (const until = Date.now() + IN_USE_MS; ; await delay(RETRY_MS)) {
    const answer = await callServer(DATA_DIR, call)
    if (answer) return answer
    const unlock = tryLock(DATA_DIR, Date.now() < until)
    if (!unlock) continue
    try {
      const db = await openEmbedded(DATA_DIR, { restore: false, print: printLine, onPanic: panic })
      return await inDatabase(config, db, call, Date.now).finally(() => db.destroy())
    } finally {
      unlock()
    }
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
  const sessions: CommandDeps['sessions'] = {
    endRows: (tx, filter, reason) => endSessionRows(tx, filter, reason, now()),
    forget() {}, // servers that run see it in the database
  }
  return execute({ config, db, now, sessions }, call)
}

function printLine(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Ends the process, because the next query would never return. */
function panic(reason: string): void {
  printLine(`The database failed: ${reason}`)
  process.exit(1)
}
