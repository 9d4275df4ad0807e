import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'

const KEPT = 7

export interface Snapshot {
  path: string
  takenAt: Date
  /** The id of the next writing transaction: if it is the same later, nothing has changed. */
  nextXid: string
}

const folderOf = (dataDir: string) => join(dataDir, 'snapshots')

/** Formats a time for the name of a file on any system. */
export const timeInName = (time: Date) => time.toISOString().replaceAll(':', '-')

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)_(\d+)\.tar\.zst$/

export const snapshotPath = (dataDir: string, takenAt: Date, nextXid: string) =>
  join(folderOf(dataDir), `${timeInName(takenAt)}_${nextXid}.tar.zst`)

/** Lists the newest first. */
export async function listSnapshots(dataDir: string): Promise<Snapshot[]> {
  return (await namesIn(folderOf(dataDir)))
    .flatMap((name) => {
      const [, day, hour, minute, rest, nextXid] = name.match(NAME) ?? []
      if (!nextXid) return []
      return { path: join(folderOf(dataDir), name), takenAt: new Date(`${day}T${hour}:${minute}:${rest}`), nextXid }
    })
    .sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime())
}

export async function removeOldSnapshots(dataDir: string): Promise<void> {
  for (const old of (await listSnapshots(dataDir)).slice(KEPT)) await rm(old.path)
}

/** Removes the partial files of a killed process. */
export async function removeUnfinishedSnapshots(dataDir: string): Promise<void> {
  const unfinished = (await namesIn(folderOf(dataDir))).filter((name) => /\.(part|copy)$/.test(name))
  for (const name of unfinished) await rm(join(folderOf(dataDir), name), { recursive: true })
}

/** Flushes the file to disk as `<path>.part`: only a proved snapshot gets its own name. */
export async function writeSnapshot(path: string, tar: Blob): Promise<void> {
  // Level 1 is as small as gzip here and takes a tenth of its time.
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 }
  const bytes = await promisify(zstdCompress)(await tar.arrayBuffer(), { params })
  const file = await open(`${path}.part`, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function readSnapshot(path: string): Promise<Blob> {
  const tar = await promisify(zstdDecompress)(await readFile(path))
  return new Blob([new Uint8Array(tar)])
}

export async function publishSnapshot(path: string): Promise<void> {
  await rename(`${path}.part`, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync() // including the new name
  } finally {
    await folder.close()
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
