import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** Any fixed number: that of migrations is another. */
const LOCK = 7_265_111
const AGAIN_MS = 1_000
/** As often another server must be seen to hold it, before this one gives way. */
const MOST_REFUSED = 10
const NAME = 'parley lock'

/** Another server runs on this database. */
export class DatabaseInUse extends Error {
  constructor() {
    super(
      'DATABASE_URL leads to a database that another server uses; one server runs on a database, so stop that one first.',
    )
  }
}

/**
 * Takes a lock on the database that goes with its own connection; throws `DatabaseInUse` where another server has it.
 * A connection that is lost, as in a restart of PostgreSQL, is replaced; `onLost` is called where another server was
 * quicker. Returns what gives the lock back.
 */
export async function lockDatabase(url: string, onLost: () => void): Promise<() => Promise<void>> {
  let isReleased = false
  let held = await hold(url)
  watch()
  return async () => {
    isReleased = true
    await held.client.end().catch(() => {}) // lost already
  }

  function watch(): void {
    held.client.once('end', () => void holdAgain())
  }

  async function holdAgain(): Promise<void> {
    for (let refused = 0; !isReleased && refused < MOST_REFUSED; ) {
      try {
        held = await hold(url, held.pid)
        return watch()
      } catch (error) {
        if (error instanceof DatabaseInUse) refused++
        await delay(AGAIN_MS)
      }
    }
    if (!isReleased) onLost()
  }
}

interface Held {
  client: pg.Client
  pid: number
}

/** PostgreSQL may not have noticed yet that the connection is gone that held the lock before: it is ended there. */
async function hold(url: string, previous?: number): Promise<Held> {
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
      'select pg_try_advisory_lock($1) as is_ours, pg_backend_pid() as pid',
      [LOCK],
    )
    if (rows[0]?.is_ours) return { client, pid: rows[0].pid }
    throw new DatabaseInUse()
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
