import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder is in use by a living process. */
export class DataDirInUse extends Error {}

/**
 * Takes the data folder for this process alone, since a second one that opened the embedded database would see its
 * acknowledged rows vanish. A lock left behind by a killed process is taken over; returns what gives the lock back.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, 'server.lock')
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) })

  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      writeFileSync(path, mine, { flag: 'wx' })
      return () => {
        if (readLock(path)?.text === mine) rmSync(path, { force: true })
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const held = readLock(path)
      if (held && isAlive(held)) {
        throw new DataDirInUse(`The data folder ${dataDir} is in use by process ${held.pid}; stop that one first.`)
      }
      rmSync(path, { force: true })
    }
  }
  throw new DataDirInUse(`The data folder ${dataDir} could not be locked; another start is under way.`)
}

interface HeldLock {
  pid: number
  started: string | null
  text: string
}

function readLock(path: string): HeldLock | null {
  try {
    const text = readFileSync(path, 'utf8')
    const held: unknown = JSON.parse(text)
    if (typeof held !== 'object' || held === null || !('pid' in held) || typeof held.pid !== 'number') return null
    return { pid: held.pid, started: 'started' in held && typeof held.started === 'string' ? held.started : null, text }
  } catch {
    return null
  }
}

function isAlive(held: HeldLock): boolean {
  try {
    process.kill(held.pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  const started = startOf(held.pid)
  return held.started === null || started === null || started === held.started
}

/** When the process began, so that a number given again to another process is not taken for it; null off Linux. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return 'ended'
    return fields[19] ?? null
  } catch {
    return null
  }
}
