import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pLimit from 'p-limit'
import type { Db } from '../../db/client.ts'
import type { Clock } from '../../lib/clock.ts'
import { joinNodes, leaveNodes, type PresenceChange, recordHeartbeat, writePresenceChanges } from './stays.ts'

const FLUSH_MS = 1_000
/** The interval while phones are online. The stays of a killed node are at most this much too short. */
export const NODE_HEARTBEAT_MS = 10_000
const NODE_LEASE_MS = 3 * NODE_HEARTBEAT_MS
/** 100 rows take PGlite 3 ms, which block the event loop. */
const BATCH_SIZE = 100

interface Options {
  /** Identifies this server to the others that share its rooms; null if no other does. */
  sharedAs?: string | null
  db: Db
  now: Clock
  log: FastifyBaseLogger
}

/** Records presence in batches, so that a phone never waits for a write. Retries failed writes. */
export class StayLog {
  readonly #options: Options
  readonly #node: string
  readonly #online = new Set<string>()
  readonly #oneAtATime = pLimit(1)
  #pending: PresenceChange[] = []
  #timers: NodeJS.Timeout[] = []

  constructor(options: Options) {
    this.#options = options
    this.#node = options.sharedAs ?? randomUUID()
  }

  /** Closes what a killed server left open, at its last heartbeat. Call before the first phone connects. */
  async start(): Promise<void> {
    await joinNodes(this.#options.db, this.#node, this.#lease(), this.#now())
    this.#timers = [
      setInterval(() => void this.flush(), FLUSH_MS).unref(),
      setInterval(() => void this.heartbeat(), NODE_HEARTBEAT_MS).unref(),
    ]
  }

  record(
    room_id: string,
    user: { id: string; user_id: string; username: string },
    isOnline: boolean,
    at = this.#now(),
  ): void {
    const { id, user_id, username } = user
    if (isOnline) this.#online.add(id)
    else this.#online.delete(id)
    this.#pending.push({ room_id, room_user_id: id, user_id, username, is_online: isOnline, at })
  }

  /** Writes everything recorded so far, unless the database is unreachable. */
  flush(): Promise<void> {
    return this.#oneAtATime(() => this.#write())
  }

  async heartbeat(): Promise<void> {
    if (this.#online.size === 0 && !this.#options.sharedAs) return
    await recordHeartbeat(this.#options.db, this.#node, this.#now()).catch((err: unknown) => this.#logFailure(err))
  }

  /** Ends the stays of everyone online, unless other servers run. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.flush()
    await leaveNodes(this.#options.db, this.#node, this.#lease(), this.#now()).catch((err: unknown) =>
      this.#logFailure(err),
    )
  }

  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      const { now, rest } = firstOfEach(this.#pending.slice(0, BATCH_SIZE))
      const later = [...rest, ...this.#pending.slice(BATCH_SIZE)]
      const waiting = this.#pending.length
      try {
        await writePresenceChanges(this.#options.db, now, this.#node, this.#now())
      } catch (err) {
        this.#logFailure(err)
        return
      }
      this.#pending = [...later, ...this.#pending.slice(waiting)]
      await setImmediate()
    }
  }

  /** Other servers whose last heartbeat is older have stopped. Null if there are no others. */
  #lease(): Date | null {
    return this.#options.sharedAs ? new Date(this.#options.now() - NODE_LEASE_MS) : null
  }

  #now(): Date {
    return new Date(this.#options.now())
  }

  #logFailure(err: unknown): void {
    this.#options.log.warn({ err }, 'attendance.write_failed')
  }
}

/** Splits the changes, because a statement may change a user's stay only once. */
function firstOfEach(changes: PresenceChange[]): { now: PresenceChange[]; rest: PresenceChange[] } {
  const seen = new Set<string>()
  const now: PresenceChange[] = []
  const rest: PresenceChange[] = []
  for (const change of changes) {
    if (seen.has(change.room_user_id)) rest.push(change)
    else now.push(change)
    seen.add(change.room_user_id)
  }
  return { now, rest }
}
