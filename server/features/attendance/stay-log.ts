import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client.ts'
import type { Clock } from '../../lib/clock.ts'
import { beat, closeOrphanedStays, forgetNode, type Move, writeMoves } from './stays.ts'

const FLUSH_MS = 1_000
/** How often a node with phones online says that it lives: a kill costs the last stays at most this much. */
export const BEAT_MS = 10_000
const MOVES_AT_ONCE = 2_000

interface Needs {
  db: Db
  now: Clock
  log: FastifyBaseLogger
}

/**
 * Writes down who came online and who went offline, a moment later and many at once, so that a phone never waits for
 * it. What could not be written is tried again.
 */
export class StayLog {
  readonly #needs: Needs
  readonly #node = randomUUID()
  readonly #online = new Set<string>()
  #moves: Move[] = []
  #writing: Promise<void> = Promise.resolve()
  #timers: NodeJS.Timeout[] = []

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Closes what a killed server left open, at its last sign of life. Before the first phone is heard. */
  async begin(): Promise<void> {
    await closeOrphanedStays(this.#needs.db, this.#now())
    this.#timers = [
      setInterval(() => void this.flush(), FLUSH_MS).unref(),
      setInterval(() => void this.beat(), BEAT_MS).unref(),
    ]
  }

  moved(room_id: string, user: { id: string; user_id: string; username: string }, isOnline: boolean): void {
    const { id, user_id, username } = user
    if (isOnline) this.#online.add(id)
    else this.#online.delete(id)
    this.#moves.push({ room_id, room_user_id: id, user_id, username, is_online: isOnline, at: this.#now() })
  }

  /** After this everything that has happened until now is in the database, as far as that can be reached. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async beat(): Promise<void> {
    if (this.#online.size === 0) return
    await beat(this.#needs.db, this.#node, this.#now()).catch((err: unknown) => this.#complain(err))
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    for (const id of [...this.#online]) this.moved('', { id, user_id: '', username: '' }, false)
    await this.flush()
    await forgetNode(this.#needs.db, this.#node).catch((err: unknown) => this.#complain(err))
  }

  async #write(): Promise<void> {
    while (this.#moves.length > 0) {
      const { now, rest } = firstOfEach(this.#moves.slice(0, MOVES_AT_ONCE))
      const later = [...rest, ...this.#moves.slice(MOVES_AT_ONCE)]
      const waiting = this.#moves.length
      try {
        await writeMoves(this.#needs.db, now, this.#node, this.#now())
      } catch (err) {
        this.#complain(err)
        return
      }
      this.#moves = [...later, ...this.#moves.slice(waiting)]
    }
  }

  #now(): Date {
    return new Date(this.#needs.now())
  }

  #complain(err: unknown): void {
    this.#needs.log.warn({ err }, 'Writing down who came and went failed; it is tried again')
  }
}

/** One statement tells of a user once: what happened to the same one again waits for the next. */
function firstOfEach(moves: Move[]): { now: Move[]; rest: Move[] } {
  const seen = new Set<string>()
  const now: Move[] = []
  const rest: Move[] = []
  for (const move of moves) {
    if (seen.has(move.room_user_id)) rest.push(move)
    else now.push(move)
    seen.add(move.room_user_id)
  }
  return { now, rest }
}
