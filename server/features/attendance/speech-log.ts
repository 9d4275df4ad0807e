import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import type { Db } from '../../db/client.ts'
import type { Clock } from '../../lib/clock.ts'
import { SHORTEST_SPEECH_MS, type Speech } from '../live-room/state/speeches.ts'

const FLUSH_MS = 1_000
const BATCH_SIZE = 100

/** Further speeches are lost while the database is away: some 10 MB wait then. */
const MAX_PENDING = 50_000

interface Options {
  db: Db
  now: Clock
  log: FastifyBaseLogger
  maxPending?: number
}

interface SpeechRow {
  room_id: string
  room_user_id: string
  began_at: Date
  ended_at: Date
}

/** Records who spoke and for how long, in batches. Retries failed writes. */
export class SpeechLog {
  readonly #options: Options
  readonly #oneAtATime = pLimit(1)
  /** Keyed by user and start, so that a speech that goes on after a pause replaces what was known of it. */
  readonly #pending = new Map<string, SpeechRow>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  record(room_id: string, { user_id, began_at, ended_at }: Speech): void {
    const end = ended_at ?? this.#options.now()
    if (end - began_at < SHORTEST_SPEECH_MS) return
    const key = `${user_id} ${began_at}`
    const { maxPending = MAX_PENDING } = this.#options
    if (this.#pending.size >= maxPending && !this.#pending.has(key)) return
    const row = { room_id, room_user_id: user_id, began_at: new Date(began_at), ended_at: new Date(end) }
    this.#pending.set(key, row)
  }

  /** Writes everything recorded so far, unless the database is unreachable. */
  flush(): Promise<void> {
    return this.#oneAtATime(() => this.#write())
  }

  close(): Promise<void> {
    clearInterval(this.#timer)
    return this.flush()
  }

  async #write(): Promise<void> {
    while (this.#pending.size > 0) {
      const batch = [...this.#pending.entries().take(BATCH_SIZE)]
      try {
        await writeSpeeches(
          this.#options.db,
          batch.map(([, row]) => row),
        )
      } catch (err) {
        this.#options.log.warn({ err }, 'attendance.write_failed')
        return
      }
      for (const [key, row] of batch) if (this.#pending.get(key) === row) this.#pending.delete(key)
    }
  }
}

/** Writes nothing for a deleted host. */
async function writeSpeeches(db: Db, rows: SpeechRow[]): Promise<void> {
  await sql`
    insert into speeches (room_id, room_user_id, began_at, ended_at)
    select spoken.* from json_to_recordset(${JSON.stringify(rows)}::json)
      as spoken (room_id uuid, room_user_id uuid, began_at timestamptz, ended_at timestamptz)
    join rooms on rooms.id = spoken.room_id
    join hosts on hosts.id = rooms.host_id and hosts.deleted_at is null
    on conflict (room_user_id, began_at) do update set ended_at = greatest(speeches.ended_at, excluded.ended_at)`.execute(
    db,
  )
}
