import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ControlFile {
  /** Where recovery begins to read the write-ahead log. */
  redo: bigint
  /** The number of the next transaction that changes something, as of the last checkpoint. */
  nextXid: string
}

/** What PostgreSQL 18 keeps in `global/pg_control` of its last checkpoint; it has checked the file's own sum itself. */
export function readControlFile(folder: string): ControlFile {
  const bytes = readFileSync(join(folder, 'global', 'pg_control'))
  return { redo: bytes.readBigUInt64LE(40), nextXid: bytes.readBigUInt64LE(64).toString() }
}
