import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from './client.ts'

/** An arbitrary fixed number. */
const LOCK = 7_265_111
const RETRY_MS = 1_000
/** Refusals in a row, after a lost connection, at which this server ends. */
const MAX_REFUSALS = 10
const NAME = 'parley lock'
const TRY_LOCK = { alone: 'pg_try_advisory_lock', shared: 'pg_try_advisory_lock_shared' }

export class DatabaseInUse extends Error {
  constructor() {
    super('Another server uses the database at DATABASE_URL. Stop it first, or give all servers the same REDIS_URL.')
  }
}

/** `shared` servers and an exclusive one refuse each other. */
export type DatabaseUse = 'alone' | 'shared'

/**
 * Takes an advisory lock on the database, through a connection of its own; throws `DatabaseInUse` if another server has
 * it. Takes it again after a lost connection, as in a restart of PostgreSQL; calls `onLost` if another server was
 * quicker. Returns the function that releases it.
 */
export async function lockDatabase(url: string, use: DatabaseUse, onLost: () => void): Promise<() => Promise<void>> {
  let isReleased = false
  let lock = await acquire(url, use)
  watch()
  return async () => {
    isReleased = true
    await lock.client.end().catch(() => {}) // already lost
  }

  function watch(): void {
    lock.client.once('end', () => void reacquire())
  }

  async function reacquire(): Promise<void> {
    for (let refused = 0; !isReleased && refused < MAX_REFUSALS; ) {
      try {
        lock = await acquire(url, use, lock.pid)
        return watch()
      } catch (error) {
        if (error instanceof DatabaseInUse) refused++
        await delay(RETRY_MS)
      }
    }
    if (!isReleased) onLost()
  }
}

/** Counts the servers that hold the lock. A killed server has lost it with its connection. */
export async function countServers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks
    where locktype = 'advisory' and classid = 0 and objid = ${LOCK} and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows[0]?.count ?? 0
}

interface Lock {
  client: pg.Client
  pid: number
}

/** Ends the previous connection first, because PostgreSQL may not have noticed that it is lost. */
async function acquire(url: string, use: DatabaseUse, previous?: number): Promise<Lock> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, application_name: NAME })
  client.on('error', () => {}) // `end` follows
  await client.connect()
  try {
    if (previous !== undefined)
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and application_name = $2',
        [previous, NAME],
      )
    const { rows } = await client.query<{ is_ours: boolean; pid: number }>(
      `select ${TRY_LOCK[use]}($1) as is_ours, pg_backend_pid() as pid`,
      [LOCK],
    )
    if (rows[0]?.is_ours) return { client, pid: rows[0].pid }
    throw new DatabaseInUse()
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
