import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../db/client.ts'
import { NextFlight } from '../../../lib/next-flight.ts'
import type { LiveRoom } from '../live-room.ts'
import { readStoredRoom } from '../state/roster.ts'

/** A committed change arrives within this time, unless the server that committed it has died. */
const UNDER_WAY_MS = 500
const UNDER_WAY_STEP_MS = 5

/** Brings a room up to date when several servers commit its changes. */
export class CatchUp {
  readonly #db: Db
  readonly #flights = new NextFlight<LiveRoom>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Resolves once the room has applied everything committed before the call. */
  toDatabase(room: LiveRoom): Promise<void> {
    return this.#flights.run(room, () => this.#apply(room))
  }

  /**
   * Catches up if the room is out of step or lacks events that the phone has acknowledged: an older state would undo
   * them on the phone until its next call. If the database fails, the room stays as it is.
   */
  async toPhone(room: LiveRoom, acks: string[]): Promise<void> {
    if (!room.isInStep || room.isBehind(acks)) await this.toDatabase(room).catch(() => {})
  }

  async #apply(room: LiveRoom): Promise<void> {
    const { change_number } = await this.#db
      .selectFrom('rooms')
      .select('change_number')
      .where('host_id', '=', room.hostId)
      .executeTakeFirstOrThrow()
    if (room.isInStep) await waitForChange(room, change_number)
    if (room.changeNumber < change_number) await room.commands.reconcile(await readStoredRoom(this.#db, room.hostId))
  }
}

/** Waits for changes up to this number, which other servers are about to append. */
export async function waitForChange(room: LiveRoom, number: number): Promise<void> {
  for (let waited = 0; room.changeNumber < number && waited < UNDER_WAY_MS; waited += UNDER_WAY_STEP_MS)
    await delay(UNDER_WAY_STEP_MS)
}
