import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** Overwrites some bytes of a file, like a failing disk. */
export function flipBytes(path: string, at: number, count = 16): void {
  const bytes = Buffer.alloc(count)
  const file = openSync(path, 'r+')
  readSync(file, bytes, 0, count, at)
  writeSync(
    file,
    bytes.map((byte) => byte ^ 0x5a),
    0,
    count,
    at,
  )
  closeSync(file)
}
