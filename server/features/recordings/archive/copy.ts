import { type FileHandle, mkdir, open, rm, stat, truncate } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import type { Deps } from '../../../deps.ts'
import type { Media } from '../media.ts'
import { archivePath } from './archive-file.ts'

/** Stays free for what the server itself must write: its database or log may be on this disk too. */
const RESERVED_BYTES = 512 * 1024 ** 2
const MEASURE_EVERY_BYTES = 64 * 1024 ** 2

/** The disk has no room for a copy. */
class NoRoom extends Error {}

/**
 * Copies a recording into the archive, or the rest of it if an earlier attempt left a part. Returns its size once it
 * matches Zoom's; otherwise throws, and leaves the part for the next attempt, unless the disk is full.
 */
export async function copyRecording(deps: Deps, media: Media, signal: AbortSignal): Promise<number> {
  const path = join(deps.config.DATA_DIR, archivePath(media.host_id, media))
  try {
    return await copyTo(path, deps, media, signal)
  } catch (error) {
    const isFull = error instanceof NoRoom || (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    if (isFull) await rm(path, { force: true })
    throw error
  }
}

async function copyTo(path: string, { config, mediaSource, measureRoom }: Deps, media: Media, signal: AbortSignal) {
  const requireRoom = async (bytes: number) => {
    const room = (await measureRoom(config.DATA_DIR)) - RESERVED_BYTES
    if (room < bytes) throw new NoRoom(`The disk has room for ${Math.max(room, 0)} bytes, not for ${bytes}`)
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const existing = await sizeOf(path)
  if (media.file_size !== null && existing === media.file_size) return existing // complete, but its row lacks it
  const from = media.file_size !== null && existing < media.file_size ? existing : 0

  await requireRoom((media.file_size ?? 0) - from)
  const answer = await mediaSource.open(media, { range: from > 0 ? `bytes=${from}-` : undefined, signal })
  const { start, size } = extentOf(answer)
  if ((start !== 0 && start !== from) || (media.file_size !== null && size !== null && size !== media.file_size)) {
    answer.destroy()
    if (existing > 0) await truncate(path) // it may belong to another file
    throw new Error(`Zoom sent from byte ${start} of ${size}, not from ${from} of ${media.file_size}`)
  }
  const expected = media.file_size ?? size
  const handle = await open(path, existing > 0 ? 'r+' : 'w', 0o600)
  try {
    const end = await writeFrom(handle, start, answer, expected ?? Number.POSITIVE_INFINITY, () => requireRoom(0))
    if (existing > end) await handle.truncate(end)
    if (expected !== null && end !== expected) throw new Error(`Zoom sent ${end} of ${expected} bytes`)
    await handle.sync()
    return end
  } finally {
    answer.destroy()
    await handle.close()
  }
}

/** Writes unbuffered, so that everything received is on disk when the response breaks off. Returns the end position. */
async function writeFrom(
  handle: FileHandle,
  start: number,
  chunks: AsyncIterable<Buffer>,
  most: number,
  requireRoom: () => Promise<void>,
) {
  let at = start
  let measureAt = start
  for await (const chunk of chunks) {
    if (at >= measureAt) {
      await requireRoom() // others write to the disk meanwhile
      measureAt = at + MEASURE_EVERY_BYTES
    }
    if (at + chunk.length > most) throw new Error('Zoom sent more bytes than it announced') // protects the disk
    for (let written = 0; written < chunk.length; )
      written += (await handle.write(chunk, written, chunk.length - written, at + written)).bytesWritten
    at += chunk.length
  }
  return at
}

/** Returns the first byte of a response, and the file's size if known. */
function extentOf({ statusCode, headers }: IncomingMessage): { start: number; size: number | null } {
  if (statusCode === 200) return { start: 0, size: Number(headers['content-length'] ?? Number.NaN) || null }
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  return start && size ? { start: Number(start), size: Number(size) } : { start: -1, size: null }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return found?.size ?? 0
}
