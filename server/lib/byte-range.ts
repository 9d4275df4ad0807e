import { Readable } from 'node:stream'

export interface ByteRange {
  start: number
  end: number // inclusive
}

/**
 * Parses a single Range. Null, for several ranges or an invalid one, means the whole file (RFC 9110, 14.2). The usual
 * library, range-parser, answers 416 to `bytes=-1000` of a smaller file, which 14.1.2 returns whole.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (!first && !last) return null
  if (!first) return lastBytes(Number(last), size)
  const start = Number(first)
  const end = last ? Math.min(Number(last), size - 1) : size - 1
  if (last && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}

function lastBytes(count: number, size: number): ByteRange | 'unsatisfiable' {
  return count === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - count), end: size - 1 }
}

/** Closes the source once the range has been read. */
export function readSlice(source: Readable, range: ByteRange): Readable {
  return Readable.from(readRange(source, range), { objectMode: false })
}

async function* readRange(source: Readable, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of source) {
    if (!Buffer.isBuffer(chunk)) continue
    const part = chunk.subarray(Math.max(0, start - at), end + 1 - at)
    at += chunk.length
    if (part.length > 0) yield part
    if (at > end) return
  }
}
