import { once } from 'node:events'
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { HOUR_MS, MINUTE_MS } from '../../shared/dates.ts'
import type { Clock } from '../lib/clock.ts'
import type { Db } from './client.ts'
import { listSnapshots, removeOldSnapshots, type Snapshot, snapshotPath } from './snapshot-files.ts'

const SNAPSHOT_INTERVAL_MS = HOUR_MS
const CHECK_INTERVAL_MS = MINUTE_MS

interface Options {
  dataDir: string
  db: Db
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  now?: Clock
}

/**
 * Takes snapshots of the open embedded database: hourly while there are changes, and a last one before it is closed.
 * The first one does not wait for the hour.
 */
export class Snapshots {
  readonly #options: Required<Options>
  readonly #oneAtATime = pLimit(1)
  readonly #timer: NodeJS.Timeout
  #newest: Snapshot | null

  private constructor(options: Options, newest: Snapshot | null) {
    this.#options = { now: Date.now, ...options }
    this.#newest = newest
    this.#timer = setInterval(() => {
      this.takeIfDue().catch((err: unknown) => this.#options.log.error({ err }, 'db.snapshot_failed'))
    }, CHECK_INTERVAL_MS).unref()
  }

  static async start(options: Options): Promise<Snapshots> {
    const [newest = null] = await listSnapshots(options.dataDir)
    return new Snapshots(options, newest)
  }

  /** Takes a snapshot if the newest one is an hour old and the database has changed since. */
  async takeIfDue(): Promise<boolean> {
    return this.#oneAtATime(async () => {
      const age = this.#options.now() - (this.#newest?.takenAt.getTime() ?? Number.NEGATIVE_INFINITY)
      const isRecent = age >= 0 && age < SNAPSHOT_INTERVAL_MS // a negative age means that the clock was set back
      return isRecent ? false : this.#takeIfChanged()
    })
  }

  /** Waits for a snapshot in progress, then takes a last one before the database closes. Never throws. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    try {
      await this.#oneAtATime(() => this.#takeIfChanged())
    } catch (err) {
      this.#options.log.error({ err }, 'db.snapshot_failed')
    }
  }

  async #takeIfChanged(): Promise<boolean> {
    const { dataDir, db, log, now } = this.#options
    const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`.execute(db)
    const nextXid = rows[0]?.xid ?? ''
    if (nextXid === this.#newest?.nextXid) return false

    const began = performance.now()
    const takenAt = new Date(now())
    const path = snapshotPath(dataDir, takenAt, nextXid)
    const copy = `${path}.copy`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // PGlite runs one transaction at a time, so nothing else writes during this one.
    await db.transaction().execute(async (tx) => {
      await sql`checkpoint`.execute(tx)
      await cp(join(dataDir, 'pglite'), copy, { recursive: true })
    })
    const copied_ms = Math.round(performance.now() - began)
    await packAndProve(copy, path)
    this.#newest = { path, takenAt, nextXid }
    await removeOldSnapshots(dataDir)
    log.info({ path, copied_ms, ms: Math.round(performance.now() - began) }, 'db.snapshot_taken')
    return true
  }
}

/** Runs in a thread of its own, because PGlite's dump would block the event loop. */
async function packAndProve(copy: string, path: string): Promise<void> {
  const worker = new Worker(new URL('./snapshot-worker.ts', import.meta.url), { workerData: { copy, path } })
  try {
    const [code] = await once(worker, 'exit') // rejects with the worker's error
    if (code !== 0) throw new Error(`The worker for snapshots ended with ${code}`)
  } catch (error) {
    await Promise.all([copy, `${path}.part`].map((left) => rm(left, { recursive: true, force: true })))
    throw error
  }
}
