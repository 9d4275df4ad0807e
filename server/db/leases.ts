import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { randomToken } from '../lib/secrets.ts'
import type { Db, Tx } from './client.ts'
import type { Tables } from './tables.ts'

interface Columns<T extends keyof Tables> {
  table: T
  key: keyof Tables[T] & string
  lease: keyof Tables[T] & string
  until: keyof Tables[T] & string
  /** Longer than the work or a delayed renewal takes: a lease expires only after its process has died. */
  seconds: number
}

type Row = Record<string, unknown>
type Changes<T extends keyof Tables> = {
  [C in keyof Updateable<Tables[T]>]: Updateable<Tables[T]>[C] | RawBuilder<unknown>
}

/** Leases rows of one table to a process, so that no other process works on them. */
export class Leases<T extends keyof Tables> {
  readonly #columns: Columns<T>
  readonly #end: RawBuilder<Date>
  readonly isFree: RawBuilder<boolean>

  constructor(columns: Columns<T>) {
    this.#columns = columns
    this.#end = sql`now() + make_interval(secs => ${sql.lit(columns.seconds)})`
    this.isFree = sql`coalesce(${sql.ref(`${columns.table}.${columns.until}`)} < now(), true)`
  }

  /** Takes the row whose key `candidate` selects; returns undefined if it selects no unlocked row. */
  async take(
    db: Db | Tx,
    candidate: RawBuilder<unknown>,
    set?: Changes<T>,
  ): Promise<Selectable<Tables[T]> | undefined> {
    const { table, key, lease, until } = this.#columns
    const { rows } = await sql<Selectable<Tables[T]>>`
      update ${sql.table(table)} set ${assignments({ ...set, [lease]: randomToken(12), [until]: this.#end })}
      where ${sql.ref(key)} = (${candidate} for update of ${sql.table(table)} skip locked)
      returning *`.execute(db)
    return rows[0]
  }

  /** Returns true if the row was still ours and met the condition. */
  async renew(db: Db | Tx, row: Row, condition: RawBuilder<boolean> = sql`true`): Promise<boolean> {
    return this.#update(db, row, { [this.#columns.until]: this.#end }, condition)
  }

  /** Writes the result of the work and frees the row. Returns false, and writes nothing, if the lease was lost. */
  async release(db: Db | Tx, row: Row, set?: Changes<T>): Promise<boolean> {
    const { lease, until } = this.#columns
    return this.#update(db, row, { ...set, [lease]: null, [until]: null })
  }

  /** Call when the only process on a database starts: every lease belongs to a dead process. */
  async releaseStale(db: Db): Promise<void> {
    const { table, lease, until } = this.#columns
    await sql`
      update ${sql.table(table)} set ${assignments({ [lease]: null, [until]: null })}
      where ${sql.ref(lease)} is not null`.execute(db)
  }

  async #update(db: Db | Tx, row: Row, set: Row, condition: RawBuilder<boolean> = sql`true`): Promise<boolean> {
    const { table, key, lease } = this.#columns
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${assignments(set)}
      where ${sql.ref(key)} = ${row[key]} and ${sql.ref(lease)} = ${row[lease]} and ${condition}`.execute(db)
    return numAffectedRows === 1n
  }
}

function assignments(set: Row) {
  return sql.join(Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
}
