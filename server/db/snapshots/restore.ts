import { readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseDamaged } from '../client.ts'
import { readArchive } from './archive.ts'
import { openChecked } from './checked-database.ts'
import { listSnapshots, putAside, type Snapshot, timeInName } from './snapshot-files.ts'

export interface Restorable {
  snapshot: Snapshot
  /** Puts the restored folder in the place of the damaged one, which is kept; returns the name that it has now. */
  restore(): Promise<string | null>
  forget(): Promise<void>
}

/** Unpacks the newest snapshot that is whole and opens, beside the damaged database, which is not touched yet. */
export async function prepareRestore(dataDir: string): Promise<Restorable | null> {
  const folder = join(dataDir, 'pglite.restored')
  const forget = () => rm(folder, { recursive: true, force: true })
  const damaged: Snapshot[] = []
  for (const snapshot of await listSnapshots(dataDir)) {
    await forget()
    try {
      await readArchive(snapshot.path, folder)
      await (await openChecked(folder)).destroy()
    } catch (error) {
      if (isOfTheSystem(error)) throw error
      damaged.push(snapshot)
      continue
    }
    return {
      snapshot,
      forget,
      async restore() {
        for (const one of damaged) await putAside(one)
        const kept = await moveAside(dataDir)
        await rename(folder, join(dataDir, 'pglite'))
        return kept
      },
    }
  }
  await forget()
  return null
}

async function moveAside(dataDir: string): Promise<string | null> {
  const database = join(dataDir, 'pglite')
  if (isEmpty(database)) return null
  const kept = join(dataDir, `pglite.damaged-${timeInName(new Date())}`)
  await rename(database, kept)
  return basename(kept)
}

/** Whether the folder is not there, or has nothing in it. */
export function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch {
    return true
  }
}

/** A full disk or a missing right says nothing about the snapshot. */
function isOfTheSystem(error: unknown): boolean {
  return error instanceof Error && !(error instanceof DatabaseDamaged) && 'syscall' in error
}
