import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { HOUR_MS } from '../../shared/dates.ts'
import type { ZoomErrorKind } from '../../shared/home.ts'
import type { Db } from '../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import type { ZoomFault } from './errors.ts'

const FLUSH_MS = 5_000

/** A recording that is gone, and calls that we did not send, are no errors of Zoom's. */
const KINDS: Partial<Record<ZoomFault, ZoomErrorKind>> = {
  unavailable: 'unanswered',
  rate_limit: 'limited',
  scope: 'refused',
  refused: 'refused',
  invalid: 'refused',
  grant: 'disconnected',
  token: 'disconnected',
}

interface Options {
  db: Db
  now: Clock
  log: FastifyBaseLogger
}

interface HourCount {
  began_at: string
  kind: ZoomErrorKind
  times: number
}

/** Counts Zoom's errors by hour and kind, over all servers and restarts. Retries failed writes. */
export class ZoomErrorLog {
  readonly #options: Options
  readonly #oneAtATime = pLimit(1)
  #pending = new Map<string, HourCount>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  note(fault: ZoomFault): void {
    const kind = KINDS[fault]
    if (!kind) return
    const began_at = new Date(Math.floor(this.#options.now() / HOUR_MS) * HOUR_MS).toISOString()
    this.#add({ began_at, kind, times: 1 })
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Writes everything counted so far, unless the database is unreachable. */
  flush(): Promise<void> {
    return this.#oneAtATime(() => this.#write())
  }

  close(): Promise<void> {
    return this.flush()
  }

  #add({ began_at, kind, times }: HourCount): void {
    const key = `${began_at} ${kind}`
    const before = this.#pending.get(key)?.times ?? 0
    this.#pending.set(key, { began_at, kind, times: before + times })
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counts = [...this.#pending.values()]
    if (counts.length === 0) return
    this.#pending = new Map()
    try {
      await this.#options.db
        .insertInto('zoom_errors')
        .values(counts)
        .onConflict((conflict) =>
          conflict.columns(['began_at', 'kind']).doUpdateSet({ times: sql`zoom_errors.times + excluded.times` }),
        )
        .execute()
    } catch (err) {
      for (const count of counts) this.#add(count)
      this.#options.log.warn({ err }, 'zoom.errors_not_counted')
    }
  }
}
