import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import type { Db, Tx } from '../../db/client.ts'
import { Leases } from '../../db/leases.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { namesIn } from '../../lib/ask-disk.ts'
import { backupCommand } from './command.ts'
import { backupName, findBackups, findExpiredBackups } from './kept-backups.ts'

const COMMAND = join(import.meta.dirname, '../../commands/backup.ts')
const RENEW_MS = 15_000
const RETRY_MS = 10 * MINUTE_MS

const backupLeases = new Leases({
  table: 'backup_schedule',
  key: 'is_only_row',
  lease: 'lease',
  until: 'lease_until',
  seconds: 60,
})

type ScheduleDeps = Pick<Deps, 'config' | 'db' | 'now' | 'log'>
/** Writes one backup. Rejects with its reason. */
type MakeBackup = (file: string, signal: AbortSignal) => Promise<string>

export const makeScheduledBackup: Job = {
  name: 'make a scheduled backup',
  every: JOB_INTERVALS.minute,
  isLong: true,
  leases: backupLeases,
  run: (deps, signal) => backUpIfDue(deps, signal),
}

export const backupJobs: Job[] = [makeScheduledBackup]

/**
 * Makes a backup in BACKUP_TO if the newest there is BACKUP_HOURS old or a master has asked for one, at one of several
 * nodes, and removes expired ones.
 */
export async function backUpIfDue(
  deps: ScheduleDeps,
  stop?: AbortSignal,
  make: MakeBackup = runCommand,
): Promise<number> {
  const { BACKUP_TO: folder } = deps.config
  if (!folder) return 0
  const isAsked = await isBackupAsked(deps.db)
  if (!isAsked && !(await isDue(deps, folder))) return 0
  await makeScheduleRow(deps.db)
  const at = new Date(deps.now())
  const waited = sql`coalesce(attempted_at <= ${new Date(at.getTime() - RETRY_MS)}, true)`
  const mayBegin = isAsked ? sql`asked_at is not null` : waited
  const candidate = sql`select is_only_row from backup_schedule where ${backupLeases.isFree} and ${mayBegin}`
  const claim = await backupLeases.take(deps.db, candidate, { attempted_at: at, asked_at: null })
  if (!claim) return 0
  const lost = new AbortController()
  const signal = AbortSignal.any([lost.signal, ...(stop ? [stop] : [])])
  const renewing = setInterval(async () => {
    const isOurs = await backupLeases.renew(deps.db, claim).catch(() => true) // the database may be away for a moment
    if (!isOurs) lost.abort()
  }, RENEW_MS)
  try {
    const isStillDue = isAsked || (await isDue(deps, folder)) // another node may have been quicker
    return isStillDue ? await backUp(deps, folder, signal, make) : 0
  } finally {
    clearInterval(renewing)
    await backupLeases.release(deps.db, claim)
  }
}

/** Lets the job make a backup. Returns false, and changes nothing, where one is asked for already or is being made. */
export async function askForBackup(tx: Tx, now: number): Promise<boolean> {
  await makeScheduleRow(tx)
  const { numUpdatedRows } = await tx
    .updateTable('backup_schedule')
    .set({ asked_at: new Date(now) })
    .where('asked_at', 'is', null)
    .where(backupLeases.isFree)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** True while a backup is asked for or is being made, but for those of `npm run backup` by hand. */
export async function isBackingUp(db: Db): Promise<boolean> {
  const running = db
    .selectFrom('backup_schedule')
    .select('is_only_row')
    .where((eb) => eb.or([eb('asked_at', 'is not', null), eb.not(backupLeases.isFree)]))
  return (await running.executeTakeFirst()) !== undefined
}

async function isBackupAsked(db: Db): Promise<boolean> {
  const asked = db.selectFrom('backup_schedule').select('is_only_row').where('asked_at', 'is not', null)
  return (await asked.executeTakeFirst()) !== undefined
}

async function makeScheduleRow(db: Db | Tx): Promise<void> {
  const row = db.insertInto('backup_schedule').values({ is_only_row: true })
  await row.onConflict((conflict) => conflict.doNothing()).execute()
}

/** A folder that cannot be read is due: the backup fails, and says why. Names of a time to come do not count. */
async function isDue({ config, now }: ScheduleDeps, folder: string): Promise<boolean> {
  const backups = findBackups(await namesIn(folder).catch(() => []))
  const oldest = now() - config.BACKUP_HOURS * HOUR_MS
  return !backups.some(({ time }) => time > oldest && time <= now())
}

/** The command itself records its failures. */
async function backUp(deps: ScheduleDeps, folder: string, signal: AbortSignal, make: MakeBackup): Promise<number> {
  const { config, now, log } = deps
  try {
    await removeLeftParts(deps, folder)
    const result = await make(join(folder, backupName(now())), signal)
    log.info({ result }, 'backup.made')
    await removeAll(folder, findExpiredBackups(findBackups(await namesIn(folder)), config.BACKUP_KEEP, now()))
    return 1
  } catch (error) {
    if (!signal.aborted) log.error({ reason: reasonOf(error) }, 'backup.failed')
    return 0
  }
}

/** Removes what killed runs have left. Without the folder no command begins that could record why. */
async function removeLeftParts(deps: ScheduleDeps, folder: string): Promise<void> {
  try {
    await removeAll(folder, findBackups(await namesIn(folder), true))
  } catch (error) {
    await backupCommand(deps, { action: 'record_failed', reason: reasonOf(error) })
    throw error
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function removeAll(folder: string, backups: { name: string }[]): Promise<void> {
  for (const { name } of backups) await rm(join(folder, name), { force: true })
}

/** Runs `npm run backup` as a process of its own, whose memory goes with it. It has this process's settings. */
async function runCommand(file: string, signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, file], { stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    if (code === 0) return out.trim()
    throw new Error(err.trim().split('\n').at(-1) || `npm run backup ended with ${code}`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
