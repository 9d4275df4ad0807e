import { sql } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import type { Db } from './client.ts'

const READ_EVERY_MS = 30_000

/**
 * The database's clock, which all servers share: a machine whose own clock is wrong or jumps neither ends sessions nor
 * prolongs them.
 */
export class DatabaseClock {
  readonly #db: Db
  readonly #timer: NodeJS.Timeout
  /** The database's time when this process began. */
  #origin: number

  static async start(db: Db): Promise<DatabaseClock> {
    return new DatabaseClock(db, await readOrigin(db))
  }

  private constructor(db: Db, origin: number) {
    this.#db = db
    this.#origin = origin
    this.#timer = setInterval(() => void this.#read(), READ_EVERY_MS).unref()
  }

  readonly now: Clock = () => Math.round(this.#origin + performance.now())

  /** Milliseconds by which this machine's clock is ahead. */
  get skewMs(): number {
    return Date.now() - this.now()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #read(): Promise<void> {
    this.#origin = await readOrigin(this.#db).catch(() => this.#origin) // the next read may succeed
  }
}

async function readOrigin(db: Db): Promise<number> {
  const sent = performance.now()
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
  const received = performance.now()
  return Number(rows[0]?.ms) - (sent + received) / 2
}
