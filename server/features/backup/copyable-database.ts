import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Db, Tx } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import type { BackupAbout } from './backup-format.ts'

/** A database with PostgreSQL's text format of `COPY`, which PGlite and PostgreSQL write and read alike. */
export interface CopyableDatabase {
  engine: BackupAbout['engine']
  db: Db | Tx
  /** `condition` is SQL of the program itself. */
  copyOut(table: string, columns: string[], condition?: string): AsyncIterable<Uint8Array>
  copyIn(table: string, columns: string[], rows: Uint8Array<ArrayBuffer>): Promise<void>
}

/** So that the same row is the same text everywhere. */
const SAME_TEXT = [
  "set timezone = 'UTC'",
  "set datestyle = 'ISO, MDY'",
  "set intervalstyle = 'postgres'",
  'set extra_float_digits = 1',
  "set bytea_output = 'hex'",
  "set client_encoding = 'UTF8'",
]

/** Pages of 8 kB that PGlite copies in one step, since it holds the text of a step in memory. */
const PAGES_AT_ONCE = 500

const ABORTED = '25P02'
const isOfAborted = (error: unknown) => error instanceof Error && 'code' in error && error.code === ABORTED

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const listed = (columns: string[]) => columns.map(quoted).join(', ')

export async function copyableFolder(pglite: PGlite): Promise<CopyableDatabase> {
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
  for (const setting of SAME_TEXT) await sql.raw(setting).execute(db)
  return {
    engine: 'pglite',
    db,
    async *copyOut(table, columns, condition = 'true') {
      const { rows } = await pglite.query<{ pages: number }>(
        `select (pg_relation_size('${quoted(table)}') / current_setting('block_size')::int)::int as pages`,
      )
      const pages = rows[0]?.pages ?? 0
      for (let page = 0; page < pages; page += PAGES_AT_ONCE) {
        const range = `ctid >= '(${page},0)' and ctid < '(${page + PAGES_AT_ONCE},0)'`
        const query = `copy (select ${listed(columns)} from ${quoted(table)} where ${range} and ${condition}) to '/dev/blob'`
        const { blob } = await pglite.query(query)
        if (blob) yield new Uint8Array(await blob.arrayBuffer()) // there is none without rows
      }
    },
    async copyIn(table, columns, rows) {
      const query = `copy ${quoted(table)} (${listed(columns)}) from '/dev/blob'`
      await pglite.query(query, [], { blob: new Blob([rows]) })
    },
  }
}

/** Runs `work` in one transaction, which sees one moment of the database. */
export async function inCopyablePostgres<T>(
  url: string,
  mode: 'read only' | 'read write',
  work: (database: CopyableDatabase) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1, keepAlive: true, application_name: 'parley backup' })
  const connected = once(pool, 'connect')
  pool.on('error', () => {}) // the query that waits fails too
  let first: unknown // what fails after it says only that the transaction is aborted
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log(event) {
      if (event.level === 'error') first ??= event.error
    },
  })
  try {
    const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode(mode)
    return await transaction.execute(async (tx) => {
      const [client]: pg.PoolClient[] = await connected
      if (!client) throw new Error('There is no connection to PostgreSQL')
      client.on('error', () => {})
      for (const setting of SAME_TEXT) await sql.raw(setting).execute(tx)
      return await work({
        engine: 'postgresql',
        db: tx,
        async *copyOut(table, columns, condition = 'true') {
          const query = `select ${listed(columns)} from ${quoted(table)} where ${condition}`
          const rows = client.query(copyTo(`copy (${query}) to stdout`))
          try {
            yield* rows.iterator({ destroyOnReturn: false })
          } finally {
            for await (const _ of rows); // the connection serves no other query before the last row
          }
        },
        async copyIn(table, columns, rows) {
          const copying = client.query(copyFrom(`copy ${quoted(table)} (${listed(columns)}) from stdin`))
          await pipeline(Readable.from([rows]), copying)
        },
      })
    })
  } catch (error) {
    throw isOfAborted(error) ? (first ?? error) : error
  } finally {
    await db.destroy()
  }
}
