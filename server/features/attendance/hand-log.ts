import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import type { Db } from '../../db/client.ts'
import type { Clock } from '../../lib/clock.ts'
import type { HandChange } from '../live-room/state/hands.ts'

const FLUSH_MS = 1_000
const BATCH_SIZE = 100

/** Further hands are lost while the database is away: some 10 MB wait then. */
const MAX_PENDING = 50_000

interface Options {
  db: Db
  now: Clock
  log: FastifyBaseLogger
  maxPending?: number
}

interface HandRow {
  room_id: string
  meeting_uuid: string
  room_user_id: string
  raised_at: Date | null // null: the hand is down
  ended_at: Date | null
  is_new: boolean // false: a hand that comes back with its phone is the same one
}

/**
 * Records the hands that wait, in batches, so that those that nobody calls are left. A user has one row in a meeting: a
 * phone that raises and lowers its hand all the time fills nothing. Retries failed writes.
 */
export class HandLog {
  readonly #options: Options
  readonly #oneAtATime = pLimit(1)
  readonly #pending = new Map<string, HandRow>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  record(room_id: string, { user_id, meeting_uuid, became, raised_at, at }: HandChange): void {
    const key = `${user_id} ${meeting_uuid}`
    const { maxPending = MAX_PENDING, now } = this.#options
    const before = this.#pending.get(key)
    if (this.#pending.size >= maxPending && !before) return
    const moment = new Date(at ?? now())
    const isDown = became === 'down'
    this.#pending.set(key, {
      ...{ room_id, meeting_uuid, room_user_id: user_id },
      raised_at: isDown ? null : new Date(raised_at ?? moment),
      ended_at: became === 'left' ? moment : null,
      is_new: before !== undefined && (before.is_new || before.raised_at === null),
    })
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
        await writeHands(
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

/** Writes nothing for a deleted host. A hand that is up again within two minutes has waited since it first rose. */
async function writeHands(db: Db, rows: HandRow[]): Promise<void> {
  const changes = sql`json_to_recordset(${JSON.stringify(rows)}::json) as changed (room_id uuid, meeting_uuid text,
    room_user_id uuid, raised_at timestamptz, ended_at timestamptz, is_new boolean)`
  await sql`
    with gone as (
      delete from raised_hands using ${changes}
      where changed.raised_at is null and raised_hands.room_id = changed.room_id
        and raised_hands.meeting_uuid = changed.meeting_uuid and raised_hands.room_user_id = changed.room_user_id
    ), waiting as (
      select changed.* from ${changes}
      join sittings on sittings.room_id = changed.room_id and sittings.meeting_uuid = changed.meeting_uuid
      join rooms on rooms.id = changed.room_id
      join hosts on hosts.id = rooms.host_id and hosts.deleted_at is null
      where changed.raised_at is not null
    ), known as (
      select waiting.*, raised_hands.raised_at as known_at, raised_hands.ended_at as known_until
      from waiting left join raised_hands using (room_id, meeting_uuid, room_user_id)
    )
    insert into raised_hands (room_id, meeting_uuid, room_user_id, raised_at, ended_at)
    select room_id, meeting_uuid, room_user_id,
      case when not is_new and (known_until is null or known_until > raised_at - interval '2 minutes')
        then least(known_at, raised_at) else raised_at end,
      ended_at
    from known
    on conflict (room_id, meeting_uuid, room_user_id)
    do update set raised_at = excluded.raised_at, ended_at = excluded.ended_at`.execute(db)
}
