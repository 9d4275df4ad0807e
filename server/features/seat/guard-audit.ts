import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../../../shared/dates.ts'
import type { Attendee } from '../../../shared/seat.ts'
import { SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { noopBus } from '../../lib/bus.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { namesForAudit } from '../audit/listed-users.ts'

/** The limit of new rows of one room at each server, since a console may report anybody. */
const ROWS = { name: 'guarded attendees', burst: 300, perSecond: 0.1, message: 'No more of them are audited now.' }

type Guarded = { attendee: Pick<Attendee, 'key' | 'name' | 'user_id'>; times: number }
type GuardedRoom = { id: string; host_id: string; epoch: number }

/** Audits whom a seat has muted again under Mute All: in one row for each attendee, seat and day, which counts the times. */
export class GuardAudit {
  readonly #deps: Deps
  readonly #rows: TokenBuckets

  constructor(deps: Deps) {
    this.#deps = deps
    this.#rows = new TokenBuckets({ now: deps.now, bus: noopBus }, ROWS)
  }

  async write(room: GuardedRoom, guarded: readonly Guarded[]): Promise<void> {
    for (const one of guarded) await this.#count(room, one)
  }

  async #count({ id: room_id, host_id, epoch }: GuardedRoom, { attendee, times }: Guarded): Promise<void> {
    const { db, secrets, now } = this.#deps
    const key = secrets.sign('guarded-attendees', JSON.stringify([room_id, epoch, attendee.key]))
    const minute = new Date(now() - (now() % DAY_MS))
    await db.transaction().execute(async (tx) => {
      const id = randomUUID()
      const { audit_id } = await tx
        .insertInto('refused_sign_ins')
        .values({ audit_id: id, key, minute, times })
        .onConflict((conflict) =>
          conflict
            .columns(['key', 'minute'])
            .doUpdateSet((eb) => ({ times: eb('refused_sign_ins.times', '+', times) })),
        )
        .returning('audit_id')
        .executeTakeFirstOrThrow()
      if (audit_id !== id) return
      if (!this.#rows.tryTake(room_id, 1)) {
        await tx.deleteFrom('refused_sign_ins').where('audit_id', '=', id).execute()
        return
      }
      const { after } = namesForAudit(this.#deps, host_id, { after: { name: attendee.name } })
      const entry = { id, action: 'attendee_guarded' as const, target: attendee.user_id, after }
      await audit(this.#deps, tx, { ...SYSTEM, host_id }, entry)
    })
  }
}
