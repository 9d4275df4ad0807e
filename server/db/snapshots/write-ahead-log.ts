import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { readControlFile } from './control-file.ts'

const SEGMENT = 16n * 1024n * 1024n
const SEGMENTS_PER_GROUP = 256n // of 4 GiB; the file's name is timeline, group, number within it

/**
 * The segments of the write-ahead log that hold something recovery may need, in order. Left out are the old ones that
 * the next checkpoint removes, and those that lie ready under a future name with old contents.
 */
export function liveSegments(folder: string): { name: string; start: bigint }[] {
  const { redo } = readControlFile(folder)
  return readdirSync(join(folder, 'pg_wal'))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => ({ name, start: startOf(name) }))
    .filter(({ name, start }) => start + SEGMENT > redo && firstPageOf(join(folder, 'pg_wal', name)) === start)
    .sort((a, b) => (a.start < b.start ? -1 : 1))
}

/** Whether a segment is missing between two others: recovery would stop before it and take that for the end. */
export function hasGap(segments: { start: bigint }[]): boolean {
  return segments.some(({ start }, index) => start !== (segments[0]?.start ?? start) + BigInt(index) * SEGMENT)
}

function startOf(name: string): bigint {
  const group = BigInt(`0x${name.slice(8, 16)}`)
  const number = BigInt(`0x${name.slice(16)}`)
  return (group * SEGMENTS_PER_GROUP + number) * SEGMENT
}

/** The address that the first page says it has; null when there is none. */
function firstPageOf(path: string): bigint | null {
  const header = Buffer.alloc(24)
  const file = openSync(path, 'r')
  try {
    return readSync(file, header, 0, header.length, 0) === header.length ? header.readBigUInt64LE(8) : null
  } finally {
    closeSync(file)
  }
}
