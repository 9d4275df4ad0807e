import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { HOUR_MS, MINUTE_MS } from '../../shared/dates.ts'
import type { Clock } from '../lib/clock.ts'
import { measureRoom } from '../lib/measure-room.ts'
import type { Db } from './client.ts'
import { copyDatabase } from './copy-database.ts'
import { listSnapshots, removeOldSnapshots, type Snapshot, snapshotPath } from './snapshot-files.ts'

const SNAPSHOT_INTERVAL_MS = HOUR_MS
const CHECK_INTERVAL_MS = MINUTE_MS
const RETRY_INTERVAL_MS = 10 * MINUTE_MS

interface Options {
  dataDir: string
  db: Db
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  now?: Clock
  /** Returns how many bytes the disk of a folder has left. */
  measureRoom?: (folder: string) => Promise<number>
}

/**
 * Takes snapshots of the open embedded database: hourly while there are changes, and a last one before it is closed.
 * The first one does not wait for the hour. A disk without room for one has none, and keeps what room it has.
 */
export class Snapshots {
  readonly #options: Required<Options>
  readonly #oneAtATime = pLimit(1)
  readonly #timer: NodeJS.Timeout
  #newest: Snapshot | null
  #failedAt = Number.NEGATIVE_INFINITY

  private constructor(options: Options, newest: Snapshot | null) {
    this.#options = { now: Date.now, measureRoom, ...options }
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
      const takenAt = this.#newest?.takenAt.getTime() ?? Number.NEGATIVE_INFINITY
      if (this.#isWithin(SNAPSHOT_INTERVAL_MS, takenAt) || this.#isWithin(RETRY_INTERVAL_MS, this.#failedAt))
        return false
      try {
        return await this.#takeIfChanged()
      } catch (error) {
        this.#failedAt = this.#options.now()
        throw error
      }
    })
  }

  #isWithin(ms: number, since: number): boolean {
    const age = this.#options.now() - since
    return age >= 0 && age < ms // a negative age means that the clock was set back
  }

  /** Takes one of what is there now, and removes all others, which hold what must not come back. */
  async takeAlone(): Promise<void> {
    await this.#oneAtATime(() => this.#takeIfChanged())
    for (const { path } of (await listSnapshots(this.#options.dataDir)).slice(1)) await rm(path)
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
    const { dataDir, db, log, now, measureRoom } = this.#options
    const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`.execute(db)
    const nextXid = rows[0]?.xid ?? ''
    if (nextXid === this.#newest?.nextXid) return false

    const began = performance.now()
    const takenAt = new Date(now())
    const path = snapshotPath(dataDir, takenAt, nextXid)
    const copy = `${path}.copy`
    let copied_ms = 0
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      await copyDatabase({ dataDir, db, measureRoom }, copy)
      copied_ms = Math.round(performance.now() - began)
      await packAndProve(copy, path)
    } catch (error) {
      await Promise.all([copy, `${path}.part`].map((left) => rm(left, { recursive: true, force: true })))
      throw error
    }
    this.#newest = { path, takenAt, nextXid }
    await removeOldSnapshots(dataDir)
    log.info({ path, copied_ms, ms: Math.round(performance.now() - began) }, 'db.snapshot_taken')
    return true
  }
}

/** Runs in a thread of its own, because PGlite's dump would block the event loop. */
async function packAndProve(copy: string, path: string): Promise<void> {
  const worker = new Worker(new URL('./snapshot-worker.ts', import.meta.url), { workerData: { copy, path } })
  const [code] = await once(worker, 'exit') // rejects with the worker's error
  if (code !== 0) throw new Error(`The worker for snapshots ended with ${code}`)
}
