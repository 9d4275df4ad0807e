import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DAY_MS } from '../../../shared/dates.ts'
import { type Actor, SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { copyDatabase } from '../../db/copy-database.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { measureRoom } from '../../lib/measure-room.ts'
import { randomToken } from '../../lib/secrets.ts'
import { findListedFiles } from './stored-files.ts'

/** Calls to the process that has the database open. The backup itself is the work of another process. */
export const BackupCommand = z.discriminatedUnion('action', [
  z.object({ action: z.literal('copy_database') }),
  z.object({ action: z.literal('find_listed'), paths: z.array(z.string()) }),
  z.object({ action: z.literal('record_made'), after: z.record(z.string(), z.union([z.number(), z.string()])) }),
  z.object({ action: z.literal('record_failed'), reason: z.string() }),
])
export type BackupCommand = z.infer<typeof BackupCommand>

const BY: Actor = { ...SYSTEM, command: 'backup' }

export async function backupCommand(
  deps: Pick<Deps, 'config' | 'db' | 'now'>,
  command: BackupCommand,
): Promise<string[]> {
  if (command.action === 'copy_database') return [await copyForBackup(deps)]
  if (command.action === 'find_listed') return findListedFiles(deps.db, command.paths)
  if (command.action === 'record_made') await audit(deps, deps.db, BY, { action: 'backup_made', after: command.after })
  else await audit(deps, deps.db, BY, { action: 'backup_failed', after: { reason: command.reason } })
  return []
}

/** Copies the embedded database, and returns the copy's folder. A start removes what a killed run has left of it. */
async function copyForBackup({ config: { DATA_DIR }, db, now }: Pick<Deps, 'config' | 'db' | 'now'>): Promise<string> {
  const folder = join(DATA_DIR, 'snapshots')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLeftCopies(folder, now())
  const copy = join(folder, `backup-${randomToken(6)}.copy`)
  try {
    await copyDatabase({ dataDir: DATA_DIR, db, measureRoom }, copy)
    return copy
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('conflict', `the database cannot be copied: ${reason}`) // named to the program that asked
  }
}

async function removeLeftCopies(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^backup-[\w-]+\.copy$/.test(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found && now - found.mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true })
  }
}
