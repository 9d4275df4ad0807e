import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { settleArchive, writeArchive } from './archive.ts'
import { readControlFile } from './control-file.ts'

const KEPT = 7

export interface Snapshot {
  path: string
  takenAt: Date
  /** The number of the next changing transaction: as long as the database says the same, nothing was changed since. */
  nextXid: string
}

export const snapshotsFolder = (dataDir: string) => join(dataDir, 'snapshots')

/** Newest first. */
export async function listSnapshots(dataDir: string): Promise<Snapshot[]> {
  const folder = snapshotsFolder(dataDir)
  const names = await readdir(folder).catch(noneIfMissing)
  return names
    .flatMap((name) => {
      const [, day, hour, minute, rest, nextXid] = name.match(NAME) ?? []
      if (!nextXid) return []
      return { path: join(folder, name), takenAt: new Date(`${day}T${hour}:${minute}:${rest}`), nextXid }
    })
    .sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime())
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)_(\d+)\.tar\.zst$/

/** A time as it may stand in the name of a file on any system. */
export const timeInName = (time: Date) => time.toISOString().replaceAll(':', '-')

/**
 * Takes a snapshot of a database folder: `pack` must see to it that nothing is written in the folder while it runs.
 * Seven are kept; an older one goes only after the new one is safe on the disk.
 */
export async function takeSnapshot(
  dataDir: string,
  takenAt: Date,
  pack: (write: () => Promise<Snapshot>) => Promise<Snapshot>,
): Promise<Snapshot> {
  const database = join(dataDir, 'pglite')
  const snapshot = await pack(async () => {
    const { nextXid } = readControlFile(database)
    const path = join(snapshotsFolder(dataDir), `${timeInName(takenAt)}_${nextXid}.tar.zst`)
    await writeArchive(database, unfinished(path))
    return { path, takenAt, nextXid }
  })
  await settleArchive(unfinished(snapshot.path), snapshot.path)
  for (const old of (await listSnapshots(dataDir)).slice(KEPT)) await rm(old.path)
  return snapshot
}

const unfinished = (path: string) => `${path}.part`

/** Puts a snapshot that turned out to be damaged out of the count. */
export async function putAside(snapshot: Snapshot): Promise<void> {
  await rename(snapshot.path, `${snapshot.path}.damaged`)
}

/** What a killed process left half-written. */
export async function removeUnfinished(dataDir: string): Promise<void> {
  const folder = snapshotsFolder(dataDir)
  const names = await readdir(folder).catch(noneIfMissing)
  for (const name of names.filter((one) => one.endsWith('.part'))) await rm(join(folder, name))
}

export function noneIfMissing(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}
