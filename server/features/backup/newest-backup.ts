import { join } from 'node:path'
import type { Deps } from '../../deps.ts'
import { bytesOf, namesIn } from '../../lib/ask-disk.ts'
import { findBackups } from './kept-backups.ts'

interface NewestBackup {
  time: number
  bytes: number | null
}

/** Finds the newest backup of the schedule; without one, the last that was made by hand. */
export async function findNewestBackup({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<NewestBackup | null> {
  const { BACKUP_TO: folder } = config
  if (folder) {
    const [newest] = findBackups(await namesIn(folder))
    return newest ? { time: newest.time, bytes: await bytesOf(join(folder, newest.name)) } : null
  }
  const made = await db
    .selectFrom('audit')
    .select(['at', 'after'])
    .where('action', '=', 'backup_made')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!made) return null
  const bytes = made.after?.bytes
  return { time: made.at.getTime(), bytes: typeof bytes === 'number' ? bytes : null }
}
