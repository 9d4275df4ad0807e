import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { Db } from '../client.ts'
import { readControlFile } from './control-file.ts'
import { listSnapshots, type Snapshot, takeSnapshot } from './snapshot-files.ts'

const HOUR_MS = 3_600_000
const LOOK_MS = 60_000

interface Parts {
  dataDir: string
  db: Db
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  now?: Clock
}

/**
 * Takes snapshots of the open embedded database: hourly while there are changes, and a last one by `takeLast`, when it
 * is closed. A database of which there is none yet does not wait for the hour.
 */
export class Snapshots {
  readonly #parts: Required<Parts>
  readonly #timer: NodeJS.Timeout
  #newest: Snapshot | null
  #taking: Promise<unknown> = Promise.resolve()

  private constructor(parts: Parts, newest: Snapshot | null) {
    this.#parts = { now: Date.now, ...parts }
    this.#newest = newest
    this.#timer = setInterval(() => {
      this.#taking = this.#taking.then(() => this.takeIfDue()).catch((error) => this.#failed(error))
    }, LOOK_MS)
    this.#timer.unref()
  }

  static async start(parts: Parts): Promise<Snapshots> {
    const [newest = null] = await listSnapshots(parts.dataDir)
    return new Snapshots(parts, newest)
  }

  /** Takes one when something was changed since the newest, and that one is an hour old. */
  async takeIfDue(): Promise<boolean> {
    const { dataDir, db, now } = this.#parts
    const age = now() - (this.#newest?.takenAt.getTime() ?? Number.NEGATIVE_INFINITY)
    if (age >= 0 && age < HOUR_MS) return false // one from the future means that the clock was set back
    const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`.execute(db)
    if (rows[0]?.xid === this.#newest?.nextXid) return false

    const began = performance.now()
    let held = 0
    // Inside a transaction nobody else can ask the embedded database anything, so its files lie still.
    this.#newest = await takeSnapshot(dataDir, new Date(now()), (write) =>
      db.transaction().execute(async (tx) => {
        await sql`checkpoint`.execute(tx)
        const snapshot = await write()
        held = performance.now() - began
        return snapshot
      }),
    )
    this.#say(began, { held_ms: Math.round(held) })
    return true
  }

  /** After the database is closed: takes one when something was changed since the newest. Never throws. */
  async takeLast(): Promise<void> {
    const { dataDir, now } = this.#parts
    try {
      const { nextXid } = readControlFile(join(dataDir, 'pglite'))
      if (nextXid === this.#newest?.nextXid) return
      const began = performance.now()
      this.#newest = await takeSnapshot(dataDir, new Date(now()), (write) => write())
      this.#say(began)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Before the database is closed: waits for one that is being taken. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#taking
  }

  #say(began: number, more: object = {}): void {
    const ms = Math.round(performance.now() - began)
    this.#parts.log.info({ path: this.#newest?.path, ms, ...more }, 'snapshot taken')
  }

  #failed(error: unknown): void {
    this.#parts.log.error({ err: error }, 'snapshot failed')
  }
}
