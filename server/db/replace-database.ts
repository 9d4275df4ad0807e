import { existsSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncPath } from '../lib/durable-files.ts'
import { timeInName } from './snapshot-files.ts'

/** A restored database that is whole and waits for the place of the present one. */
const nextIn = (dataDir: string) => join(dataDir, 'pglite.next')

/** The folder in which a restore builds. Nothing in it is in use. */
export const restoringIn = (dataDir: string) => join(dataDir, 'restoring')

/** Makes the restored database the one that counts: a run that is killed later is finished by the next start. */
export async function decideForDatabase(dataDir: string, restored: string): Promise<void> {
  await syncAll(restored)
  await rename(restored, nextIn(dataDir))
  await syncPath(dataDir)
}

/**
 * Puts a restored database, if one waits, in the place of the present one, which is kept with its snapshots. Returns the names
 * of what was kept. The caller holds the lock of the folder, and may be killed between any two steps.
 */
export async function replaceDatabase(dataDir: string): Promise<string[]> {
  const next = nextIn(dataDir)
  if (!existsSync(next)) return []
  const kept: string[] = []
  for (const name of ['snapshots', 'pglite']) {
    const path = join(dataDir, name)
    if (!existsSync(path)) continue
    const keptAs = `${name}.replaced-${timeInName(new Date())}`
    await rename(path, join(dataDir, keptAs))
    kept.push(keptAs)
  }
  await rename(next, join(dataDir, 'pglite'))
  await syncPath(dataDir)
  return kept
}

/** The embedded database never forces its files to the disk. */
export async function syncAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isFile() || entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name))
  }
  await syncPath(folder)
}
