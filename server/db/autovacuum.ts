import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { MINUTE_MS } from '../../shared/dates.ts'
import type { Db } from './client.ts'

const INTERVAL_MS = 10 * MINUTE_MS
/** A tenth of PostgreSQL's own: 3,000 sampled rows, since nothing else runs meanwhile. */
const STATISTICS_TARGET = 10

interface Options {
  db: Db
  log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Does for the open embedded database what PostgreSQL's autovacuum does, which PGlite lacks: the space of deleted rows is
 * used again, and the planner knows the tables' sizes.
 */
export class Autovacuum {
  readonly #options: Options
  readonly #timer: NodeJS.Timeout
  #run: Promise<unknown> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.#timer = setInterval(() => {
      this.#run = this.run().catch((err: unknown) => options.log.error({ err }, 'db.vacuum_failed'))
    }, INTERVAL_MS).unref()
  }

  /** Returns the tables that have changed enough since the last time, by PostgreSQL's default thresholds. */
  async run(): Promise<string[]> {
    const { db } = this.#options
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_stat_user_tables
      where n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup
      order by relname`.execute(db)
    if (rows.length > 0) await sql`set default_statistics_target = ${sql.lit(STATISTICS_TARGET)}`.execute(db)
    for (const { name } of rows) await sql`vacuum (analyze) ${sql.table(name)}`.execute(db)
    return rows.map(({ name }) => name)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#run
  }
}
