import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '../../../shared/dates.ts'
import { type Caller, regardlessOfSession, SYSTEM } from '../../db/actor.ts'
import { audit, type NewAuditEntry } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { addressGroup } from '../../lib/address-group.ts'

/**
 * The limits of audit rows per day (UTC): for one host, or accounts without one, and for all together. The account of a
 * console whose password was right, or that is signed in, has as many of its own, which no stranger can use up.
 */
const MAX_ROWS = { each: 2_000, all: 10_000 }

type RefusedCall = Omit<NewAuditEntry, 'id' | 'before' | 'after'> & {
  /** The account whose right password came first, where the caller is not signed in. */
  account?: string
  after?: { code?: string; link?: true; route?: string; device_id?: string; device_model?: string | null } | undefined
}

/**
 * Audits refused calls: sign-ins, which anybody can attempt, and calls that a signed-in caller's role may not make. One
 * row covers an account, address, reason and period: the first refusal writes it, and each one counts.
 */
export class RefusedCalls {
  readonly #deps: Pick<Deps, 'db' | 'secrets' | 'now'>
  /** The day, and the scopes that are full on it. */
  #full = { day: '', scopes: new Set<string>() }

  constructor(deps: Pick<Deps, 'db' | 'secrets' | 'now'>) {
    this.#deps = deps
  }

  async audit(by: Caller, entry: RefusedCall, periodMs = MINUTE_MS): Promise<void> {
    const { db, secrets, now } = this.#deps
    const minute = new Date(now() - (now() % periodMs))
    const day = minute.toISOString().slice(0, 10)
    const { account = consoleAccountOf(by), ...row } = entry
    const { host_id = by.host_id, action, target, after } = row
    const scope = account ? `account ${account}` : (host_id ?? 'none')
    if (this.#fullOn(day).has(scope)) return
    const same = JSON.stringify([action, scope, by.id, target, addressGroup(by.ip), after?.code, after?.link])
    const key = secrets.sign('refused-sign-ins', same)
    const isListed = await db.transaction().execute(async (tx) => {
      const audit_id = randomUUID()
      const { times } = await tx
        .insertInto('refused_sign_ins')
        .values({ audit_id, key, minute, times: 1 })
        .onConflict((conflict) =>
          conflict.columns(['key', 'minute']).doUpdateSet((eb) => ({ times: eb('refused_sign_ins.times', '+', 1) })),
        )
        .returning('times')
        .executeTakeFirstOrThrow()
      if (times > 1) return true
      const isWithin = account
        ? await this.#isWithinAccountsDay(tx, day, { scope, host_id, account })
        : await this.#isWithinDay(tx, day, scope)
      if (isWithin) {
        await audit(this.#deps, tx, regardlessOfSession(by), { ...row, id: audit_id })
        return true
      }
      await tx.deleteFrom('refused_sign_ins').where('audit_id', '=', audit_id).execute()
      return false
    })
    if (!isListed) this.#fullOn(day).add(scope)
  }

  #fullOn(day: string): Set<string> {
    if (this.#full.day !== day) this.#full = { day, scopes: new Set() }
    return this.#full.scopes
  }

  /** Does the same as `#isWithinDay` for an account of a console. */
  async #isWithinAccountsDay(
    tx: Tx,
    day: string,
    { scope, host_id, account }: { scope: string; host_id: string | null; account: string },
  ): Promise<boolean> {
    const written = await countRow(tx, day, scope, MAX_ROWS.each)
    if (written === MAX_ROWS.each + 1)
      await audit(this.#deps, tx, SYSTEM, { host_id, action: 'sign_in_refusals_capped', target: account })
    return written !== undefined && written <= MAX_ROWS.each
  }

  /** Counts an entry against the day's limits. The first one beyond them is audited as capped, the rest are not. */
  async #isWithinDay(tx: Tx, day: string, scope: string): Promise<boolean> {
    const ofHost = await countRow(tx, day, scope, MAX_ROWS.each)
    if (ofHost === undefined) return false
    if (ofHost <= MAX_ROWS.each) {
      const ofAll = await countRow(tx, day, 'all', MAX_ROWS.all)
      if (ofAll !== undefined && ofAll <= MAX_ROWS.all) return true
      await tx
        .updateTable('refused_sign_in_days')
        .set({ written: MAX_ROWS.each + 1 })
        .where((eb) => eb.and({ day, scope }))
        .execute()
    }
    const host_id = scope === 'none' ? null : scope
    await audit(this.#deps, tx, SYSTEM, { host_id, action: 'sign_in_refusals_capped', target: host_id })
    return false
  }
}

/** Counts a row and returns the day's number; undefined if the limit was already exceeded. */
async function countRow(tx: Tx, day: string, scope: string, max: number): Promise<number | undefined> {
  const row = await tx
    .insertInto('refused_sign_in_days')
    .values({ day, scope, written: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'scope'])
        .doUpdateSet((eb) => ({ written: eb('refused_sign_in_days.written', '+', 1) }))
        .where('refused_sign_in_days.written', '<=', max),
    )
    .returning('written')
    .executeTakeFirst()
  return row?.written
}

/** Phones are left out: a host knows the passwords of ten thousand users. */
function consoleAccountOf({ role, id }: Caller): string | null {
  return role === 'master' || role === 'host' || role === 'assistant' ? id : null
}
