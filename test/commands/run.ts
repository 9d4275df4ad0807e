import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { inDatabaseOf } from '../processes/backup-world.ts'
import { SHORT_LIVED_FLAGS } from '../servers/server-process.ts'
import type { Env } from './installations.ts'

/** Returns the function that is called after the process has ended. */
type Disturb = (child: ChildProcess) => () => void

/** Does something to a command after so many milliseconds. */
export const after =
  (ms: number, act: (child: ChildProcess) => void): Disturb =>
  (child) => {
    const timer = setTimeout(() => act(child), ms)
    return () => clearTimeout(timer)
  }

interface Ended {
  code: number | null
  out: string
  err: string
}

/** Runs a command, and calls `disturb` with its process once that has begun. `code` is null for a killed one. */
export async function run([name, ...args]: string[], env: Env, disturb?: Disturb): Promise<Ended> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const TMPDIR = join(env.DATA_DIR ?? '', '..', 'tmp')
  mkdirSync(TMPDIR, { recursive: true })
  const child = spawn(process.execPath, [...SHORT_LIVED_FLAGS, `server/commands/${name}.ts`, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const calm = disturb?.(child)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  calm?.()
  if (code === null) await idle(env)
  return { code, out, err }
}

/** PostgreSQL may still be at what a killed process has sent it. */
async function idle({ DATABASE_URL, ...env }: Env): Promise<void> {
  if (DATABASE_URL === undefined) return
  await inDatabaseOf({ ...env, DATABASE_URL }, async (db) => {
    for (;;) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
      if (rows.length === 0) return
      await delay(20)
    }
  })
}
