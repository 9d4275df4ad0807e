import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BadSetting } from '../config.ts'

export class DataDirInUse extends Error {}

export function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new BadSetting(
      `DATA_DIR is ${JSON.stringify(dataDir)}; it must be a folder that Parley can write to (${why}).`,
    )
  }
}

/** Keeps a reference to each lock: without one it would be garbage-collected, and so released. */
const openLocks = new Set<DatabaseSync>()

const SQLITE_BUSY = 5
const SQLITE_NOTADB = 26

/**
 * Locks the data folder for this process: a second one that opened the embedded database would lose acknowledged rows.
 * Node.js has no file locks, but SQLite does: its exclusive lock on an empty file is the operating system's, which
 * releases it however the process ends, so no lock is ever stale. Returns the function that releases it.
 */
export function lockDataDir(dataDir: string): () => void {
  const holder = join(dataDir, 'server.pid') // only for the message
  const lock = takeLock(dataDir)
  if (!lock) {
    const pid = readHolder(holder)
    const who = pid ? `process ${pid}` : 'another process'
    throw new DataDirInUse(`The data folder ${dataDir} is in use by ${who}. Stop it first.`)
  }
  openLocks.add(lock)
  try {
    writeFileSync(holder, `${process.pid}\n`)
  } catch {} // a full disk need not keep anybody out
  return () => {
    if (!openLocks.delete(lock)) return
    rmSync(holder, { force: true })
    lock.close()
  }
}

function takeLock(dataDir: string): DatabaseSync | null {
  const file = new DatabaseSync(join(dataDir, 'server.lock'), { timeout: 0 })
  try {
    file.exec('pragma journal_mode = memory')
    file.exec('begin exclusive')
    return file
  } catch (error) {
    file.close()
    const code = error instanceof Error && 'errcode' in error ? error.errcode : null
    if (code === SQLITE_BUSY) return null
    if (code !== SQLITE_NOTADB) throw error
    throw new BadSetting(
      `DATA_DIR is ${JSON.stringify(dataDir)}, a folder of a version from before 0.1.0. It was not changed. Choose another.`,
    )
  }
}

function readHolder(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').match(/^\d+/)?.[0] ?? null
  } catch {
    return null
  }
}
