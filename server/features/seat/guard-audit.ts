import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../../../shared/dates.ts'
import type { Attendee } from '../../../shared/seat.ts'
import { SYSTEM } from '../../db/actor.ts'
import { auditAll } from '../../db/audit-log.ts'
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

  /** Counts a whole report by one transaction. Of those without a row as many are written as the limit permits. */
  async write(room: GuardedRoom, guarded: readonly Guarded[]): Promise<void> {
    if (guarded.length === 0) return
    const { db, now } = this.#deps
    const minute = new Date(now() - (now() % DAY_MS))
    const counts = this.#countByKey(room, guarded)
    const rows = await db
      .selectFrom('refused_sign_ins')
      .select('key')
      .where('minute', '=', minute)
      .where('key', 'in', [...counts.keys()])
      .execute()
    const known = new Set(rows.map(({ key }) => key))
    const written = [...counts].filter(([key]) => known.has(key) || this.#rows.tryTake(room.id, 1))
    if (written.length === 0) return
    await db.transaction().execute(async (tx) => {
      const values = written.map(([key, { times }]) => ({ audit_id: randomUUID(), key, minute, times }))
      const stored = await tx
        .insertInto('refused_sign_ins')
        .values(values.toSorted((one, other) => (one.key < other.key ? -1 : 1))) // in one order, so that reports cannot deadlock
        .onConflict((conflict) =>
          conflict
            .columns(['key', 'minute'])
            .doUpdateSet((eb) => ({ times: eb('refused_sign_ins.times', '+', eb.ref('excluded.times')) })),
        )
        .returning('audit_id')
        .execute()
      const ids = new Set(stored.map(({ audit_id }) => audit_id))
      const entries = values.flatMap(({ audit_id: id, key }) => {
        const attendee = counts.get(key)?.attendee
        return attendee && ids.has(id) ? [this.#entry(room, id, attendee)] : []
      })
      await auditAll(this.#deps, tx, { ...SYSTEM, host_id: room.host_id }, entries)
    })
  }

  #countByKey({ id, epoch }: GuardedRoom, guarded: readonly Guarded[]): Map<string, Guarded> {
    const counts = new Map<string, Guarded>()
    for (const { attendee, times } of guarded) {
      const key = this.#deps.secrets.sign('guarded-attendees', JSON.stringify([id, epoch, attendee.key]))
      counts.set(key, { attendee, times: times + (counts.get(key)?.times ?? 0) })
    }
    return counts
  }

  #entry({ host_id }: GuardedRoom, id: string, { name, user_id }: Guarded['attendee']) {
    const { after } = namesForAudit(this.#deps, host_id, { after: { name } })
    return { id, action: 'attendee_guarded' as const, target: user_id, after }
  }
}
