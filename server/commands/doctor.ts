import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { SystemCheck } from '../../shared/system.ts'
import { BadSetting, type Config, readConfig } from '../config.ts'
import { countServers } from '../db/advisory-lock.ts'
import { type Db, openPostgres } from '../db/client.ts'
import { DataDirInUse, lockDataDir } from '../db/data-dir-lock.ts'
import { CannotOpenDatabase, openEmbedded } from '../db/embedded.ts'
import { counted, type Finding, NotChecked, note, problem } from '../features/system/check.ts'
import { runChecks } from '../features/system/run-checks.ts'
import { createLogger } from '../lib/logger.ts'
import { secretKeyIn, secretsFrom } from '../lib/secrets.ts'
import { callServer } from './control-socket.ts'
import { printLine } from './run-command.ts'

const USAGE = 'Use: npm run doctor [-- --json]'
/** The time for the checks of a server that runs, which take 5 s at most. */
const SERVER_MS = 7_000
/** Longer than the embedded database takes to open on a slow machine. */
const OPEN_MS = 8_000

const isJson = readArgs()
process.exitCode = isJson === null ? 2 : await examine(isJson)
await new Promise((resolve) => process.stdout.write('', resolve))
process.exit() // a part that hangs must not keep it

function readArgs(): boolean | null {
  try {
    return parseArgs({ options: { json: { type: 'boolean', default: false } } }).values.json
  } catch {
    printLine(USAGE)
    return null
  }
}

/** Prints the checks. Returns the exit code. */
async function examine(isJson: boolean): Promise<number> {
  try {
    const checks = await check(readConfig(process.env))
    const count = (status: SystemCheck['status']) => checks.filter((one) => one.status === status).length
    const [fine, warnings, problems] = [count('ok'), count('warn'), count('problem')]
    if (isJson) process.stdout.write(`${JSON.stringify({ checks, ok: fine, warnings, problems })}\n`)
    else
      process.stdout.write(
        [...checks.map(lineOf), `Doctor: ${fine} ok, ${counted(warnings, 'warning')}, ${counted(problems, 'problem')}.`]
          .map((line) => `${line}\n`)
          .join(''),
      )
    return problems > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error
    printLine(error.message)
    return 2
  }
}

function lineOf({ status, name, message, advice }: SystemCheck): string {
  return `${status.padEnd(7)}  ${name.padEnd(11)}  ${message}${advice ? ` ${advice}` : ''}`
}

/** Lets the server that has the folder open check itself; without one, checks from here. */
async function check(config: Config): Promise<SystemCheck[]> {
  const { DATA_DIR, DATABASE_URL } = config
  if (!DATABASE_URL && existsSync(DATA_DIR)) {
    const answer = await callServer(DATA_DIR, { command: 'doctor', args: null }, SERVER_MS)
    if (answer && 'lines' in answer) return z.array(SystemCheck).parse(JSON.parse(answer.lines[0] ?? ''))
    if (answer) return checkFrom(config, { fault: problem(answer.refusal, 'Restart it.') })
  }
  const database = DATABASE_URL ? await findPostgres(DATABASE_URL) : await openFolder(DATA_DIR)
  try {
    return await checkFrom(config, database)
  } finally {
    await Promise.race([database.close?.(), late(1_000)])
  }
}

interface ReachedDatabase {
  db?: Db
  /** The finding of each check that needs a database. */
  fault?: Finding
  isServed?: boolean
  close?(): Promise<unknown>
}

function checkFrom(config: Config, { db, fault, isServed = false }: ReachedDatabase): Promise<SystemCheck[]> {
  return runChecks({
    config,
    db() {
      if (db) return db
      throw new NotChecked(fault ?? note('There is no database yet.'))
    },
    secrets: async () => secretsFrom(config.SECRET_KEY ?? (await secretKeyIn(config.DATA_DIR, async () => false))),
    isServed,
    log: createLogger('silent', { write() {} }),
    measureDisk: (folder) => statfs(folder),
  })
}

async function findPostgres(url: string): Promise<ReachedDatabase> {
  const db = openPostgres(url)
  const servers = await Promise.race([countServers(db).catch(() => 0), late(OPEN_MS)])
  return { db, isServed: Number(servers) > 0, close: () => db.destroy() }
}

async function openFolder(dataDir: string): Promise<ReachedDatabase> {
  if (!existsSync(join(dataDir, 'pglite')))
    return { fault: note(`There is no database in ${dataDir} yet.`, 'Start the server once.') }
  try {
    const unlock = lockDataDir(dataDir)
    const opening = openEmbedded(dataDir, { restore: false, print: printLine, onPanic: () => process.exit(1) })
    const db = await Promise.race([opening, late(OPEN_MS)])
    if (db) return { db, close: () => db.destroy().then(unlock) }
    return { fault: problem('It took more than 8 s to open.', 'Look for what else keeps this machine busy.') }
  } catch (error) {
    if (error instanceof DataDirInUse)
      return { fault: problem(error.message, 'A server that begins or ends has it; run this again.') }
    if (error instanceof CannotOpenDatabase || error instanceof BadSetting)
      return { fault: problem(error.message, 'See "Without PostgreSQL" in docs/deploy.md.') }
    throw error
  }
}

function late(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms))
}
