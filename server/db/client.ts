import { type Dialect, Kysely, PostgresDialect, type Transaction } from 'kysely'
import { poolWithoutTimeout, postgresPool } from './postgres-pool.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

type ObserveQuery = (seconds: number) => void

const observers = new WeakMap<Db, ObserveQuery>()

export function openPostgres(url: string): Db {
  return openDatabase(new PostgresDialect({ pool: postgresPool(url) }))
}

export function openDatabase(dialect: Dialect): Db {
  const db: Db = new Kysely<Tables>({
    dialect,
    log: ({ queryDurationMillis }) => observers.get(db)?.(queryDurationMillis / 1000),
  })
  return db
}

/** Calls `observe` with the time of each query, failed ones too. Replaces the observer before it. */
export function observeQueries(db: Db, observe: ObserveQuery): void {
  observers.set(db, observe)
}

/** Runs migrations, which no time limit may interrupt. */
export async function withoutTimeout<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolWithoutTimeout(url) }) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

export async function isReachable(db: Db): Promise<boolean> {
  try {
    await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute()
    return true
  } catch {
    return false
  }
}

const CONNECTION_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]
const QUERY_CANCELED = '57014'

/** True for a lost connection, a server that is starting, stopping or absent, or a query that timed out. */
export function isDatabaseGone(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === QUERY_CANCELED || CONNECTION_CODES.includes(code)) return true
  if (/^(08|53|57P)/.test(code)) return true // PostgreSQL's classes: connection, resources, shutting down
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/i.test(
    error.message,
  )
}

/** True also where the settings are wrong: no such host, socket, login or database, or no TLS there. */
export function isDatabaseUnusable(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const isOfNetwork = 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
  return isOfNetwork || /^(28...|3D000)$/.test(code) || /SSL/.test(error.message) || isDatabaseGone(error)
}

/** Returns the unique constraint that refused a write (SQLSTATE 23505), if one did. */
export function violatedUniqueConstraint(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return null
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
}
