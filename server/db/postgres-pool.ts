import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'

/** A call may need two of these one after the other, and is to end well inside the 15 s that a console waits. */
const CONNECT_MS = 3_000
const STATEMENT_MS = 4_000

/** Connections to PostgreSQL, of which none is used again that gave no answer in time: it may be dead without a word. */
export function postgresPool(url: string): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 1_000,
    keepAlive: true,
    application_name: 'parley',
  })
  // A lost connection is replaced at the next query; without these, one that is lost between two would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const connections: PostgresPool = pool
  return {
    options: pool.options,
    connect: async () => new WatchedClient(await connections.connect()),
    end: () => pool.end(),
  }
}

/** One connection for what may take its time: migrations, and waiting for another node's. */
export function patientPool(url: string): PostgresPool {
  return new pg.Pool({ connectionString: url, max: 1, application_name: 'parley' })
}

class WatchedClient implements PostgresPoolClient {
  readonly #client: PostgresPoolClient
  #isLost = false

  constructor(client: PostgresPoolClient) {
    this.#client = client
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(asked: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof asked === 'string' ? this.#ask<R>(asked, parameters) : this.#client.query(asked)
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#isLost)
  }

  /** After one that was not answered no other is tried: the rollback would be waited for as long again. */
  async #ask<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.#isLost) throw new Error('Connection terminated: it had not answered')
    try {
      return await this.#client.query<R>(sql, parameters)
    } catch (error) {
      this.#isLost ||= error instanceof Error && error.message === 'Query read timeout'
      throw error
    }
  }
}
