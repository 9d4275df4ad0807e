import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'

/** A call may need two of these in a row, and must end well within the 15 s of a console's timeout. */
const CONNECT_TIMEOUT_MS = 3_000
const STATEMENT_TIMEOUT_MS = 4_000

/** Discards a connection that gave no answer in time, because it may be dead but not closed. */
export function postgresPool(url: string): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    keepAlive: true,
    application_name: 'parley',
  })
  // Without these, a connection that is lost between two queries would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const connections: PostgresPool = pool
  return {
    options: pool.options,
    connect: async () => new WatchedClient(await connections.connect()),
    end: () => pool.end(),
  }
}

/** Opens one connection, for migrations and for waiting for another node's. */
export function poolWithoutTimeout(url: string): PostgresPool {
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
  query<R>(query: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof query === 'string' ? this.#query<R>(query, parameters) : this.#client.query(query)
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#isLost)
  }

  /** Sends nothing after a timeout: the rollback would wait as long again. */
  async #query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.#isLost) throw new Error('Connection terminated: it did not answer')
    try {
      return await this.#client.query<R>(sql, parameters)
    } catch (error) {
      this.#isLost ||= error instanceof Error && error.message === 'Query read timeout'
      throw error
    }
  }
}
