import { Readable } from 'node:stream'

export interface ByteRange {
  start: number
  end: number // inclusive
}

/** The one range that a reader asks for. Several at once, or nonsense, means the whole file, as the standard allows. */
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

/** That part of a stream, for a file host that sends only the whole. The source is closed as soon as it is through. */
export function slice(source: Readable, range: ByteRange): Readable {
  return Readable.from(cut(source, range), { objectMode: false })
}

async function* cut(source: Readable, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of source) {
    if (!Buffer.isBuffer(chunk)) continue
    const part = chunk.subarray(Math.max(0, start - at), end + 1 - at)
    at += chunk.length
    if (part.length > 0) yield part
    if (at > end) return
  }
}
