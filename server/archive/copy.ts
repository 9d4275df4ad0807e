import { createWriteStream } from 'node:fs'
import { mkdir, stat, truncate } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Deps } from '../deps.ts'
import type { Media, MediaSource } from '../recordings/media.ts'
import { archivePath } from './archive-file.ts'

/**
 * Copies a recording into the archive, or the rest of it where a part is there from an earlier try. Returns its size once
 * it has the size that Zoom tells; anything else is an error, and what has come is left for the next try.
 */
export async function copyRecording(
  { config }: Deps,
  source: MediaSource,
  media: Media,
  signal: AbortSignal,
): Promise<number> {
  const path = join(config.DATA_DIR, archivePath(media.host_id, media))
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const held = await sizeOf(path)
  if (media.file_size !== null && held === media.file_size) return held // whole, but cut off before it was written down
  const from = media.file_size !== null && held < media.file_size ? held : 0

  const answer = await source.open(media, { range: from > 0 ? `bytes=${from}-` : undefined, signal })
  const { start, size } = extentOf(answer)
  if ((start !== 0 && start !== from) || (media.file_size !== null && size !== null && size !== media.file_size)) {
    answer.destroy()
    if (held > 0) await truncate(path) // it may be of another file
    throw new Error(`Zoom sent from byte ${start} of ${size}, not from ${from} of ${media.file_size}`)
  }
  const expected = media.file_size ?? size
  const flags = held > 0 ? 'r+' : 'w'
  const file = createWriteStream(path, { flags, start, mode: 0o600, flush: true })
  await pipeline(answer, atMost(expected === null ? null : expected - start), file, { signal })
  const end = start + file.bytesWritten
  if (held > end) await truncate(path, end)
  if (expected !== null && end !== expected) throw new Error(`Zoom sent ${end} of ${expected} bytes`)
  return end
}

/** Which bytes of the file an answer has, and of how many. A size of null is not told. */
function extentOf({ statusCode, headers }: IncomingMessage): { start: number; size: number | null } {
  if (statusCode === 200) return { start: 0, size: Number(headers['content-length'] ?? Number.NaN) || null }
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  return start && size ? { start: Number(start), size: Number(size) } : { start: -1, size: null }
}

/** A file host that sends more than it said must not fill the disk. */
function atMost(limit: number | null) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let count = 0
    for await (const chunk of chunks) {
      count += chunk.length
      if (limit !== null && count > limit) throw new Error('Zoom sends more than it said')
      yield chunk
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return found?.size ?? 0
}
