import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { packTar, unpackTar } from './tar.ts'
import { liveSegments } from './write-ahead-log.ts'

// Level 1 is as small as gzip here and takes a tenth of its time; the sum tells a damaged archive from a good one.
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } }

/** Packs a database folder in which nothing is written meanwhile, under a name that nobody looks for yet. */
export async function writeArchive(folder: string, unfinished: string): Promise<void> {
  await mkdir(dirname(unfinished), { recursive: true, mode: 0o700 })
  const names = await namesIn(folder)
  await pipeline(
    packTar(folder, names),
    createZstdCompress(compression),
    createWriteStream(unfinished, { mode: 0o600 }),
  )
}

/** Forces the archive to the disk, and only then gives it its name: whoever finds it finds it whole. */
export async function settleArchive(unfinished: string, path: string): Promise<void> {
  await force(unfinished)
  await rename(unfinished, path)
  await force(dirname(path))
}

/** Unpacks an archive into a folder that is not there yet. A damaged archive throws. */
export async function readArchive(path: string, folder: string): Promise<void> {
  const tar = await pipeline(createReadStream(path), createZstdDecompress({ chunkSize: 1024 * 1024 }), buffer)
  await mkdir(folder, { mode: 0o700 })
  unpackTar(tar, folder)
}

/** Forces a file, or the names in a folder, to the disk. */
async function force(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** All but the segments of the write-ahead log that only lie ready: they are 16 MiB each, and hold nothing. */
async function namesIn(folder: string): Promise<string[]> {
  const live = new Set(liveSegments(folder).map(({ name }) => join('pg_wal', name)))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => {
      const name = join(entry.parentPath, entry.name).slice(folder.length + 1)
      return entry.isDirectory() ? `${name}/` : name
    })
    .filter((name) => !/^pg_wal\/[0-9A-F]{24}$/.test(name) || live.has(name))
    .sort()
}
