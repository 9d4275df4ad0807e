import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { NextFlight } from '../../lib/next-flight.ts'
import type { LiveRoom } from './live-room.ts'
import { readStoredRoom } from './roster.ts'

/** A change that is committed arrives within this time, unless the server that committed it has died. */
const UNDER_WAY_MS = 500
const UNDER_WAY_STEP_MS = 5

/** For rooms whose changes are committed by several servers. */
export class CatchUp {
  readonly #db: Db
  readonly #flights = new NextFlight<LiveRoom>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Resolves once the room has applied all that was committed when this was called. */
  toDatabase(room: LiveRoom): Promise<void> {
    return this.#flights.run(room, () => this.#apply(room))
  }

  /**
   * For an answer to a phone that acknowledges commands: where the phone has received more than this server, an older state
   * would undo what it has obeyed, until its next call. Without the database the answer is what is known here.
   */
  async toPhone(room: LiveRoom, acks: string[]): Promise<void> {
    if (!room.isInStep || room.lacks(acks)) await this.toDatabase(room).catch(() => {})
  }

  async #apply(room: LiveRoom): Promise<void> {
    const { change_number } = await this.#db
      .selectFrom('rooms')
      .select('change_number')
      .where('host_id', '=', room.hostId)
      .executeTakeFirstOrThrow()
    if (room.isInStep) await waitFor(room, change_number)
    if (room.changeNumber < change_number) await room.reconcile(await readStoredRoom(this.#db, room.hostId))
  }
}

/** For changes before this one that other servers are about to append. */
export async function waitFor(room: LiveRoom, number: number): Promise<void> {
  for (let waited = 0; room.changeNumber < number && waited < UNDER_WAY_MS; waited += UNDER_WAY_STEP_MS)
    await delay(UNDER_WAY_STEP_MS)
}
