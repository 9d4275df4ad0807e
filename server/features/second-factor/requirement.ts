import type { RequiredFor } from '../../../shared/second-factor.ts'
import type { MasterActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { ConsoleAccount, Session } from '../auth/session-rows.ts'
import { hasSecondFactor } from './factors.ts'

/** A background call of an account without a factor asks the database again after this time. */
const RECHECK_MS = 1_000

export async function readRequirement(db: Db | Tx): Promise<RequiredFor> {
  const row = await db.selectFrom('security_settings').select('require_second_factor').executeTakeFirst()
  return row?.require_second_factor ?? 'nobody'
}

/** Tells if the masters' rule asks a second factor of such an account. Assistants work in their host's room, as it does. */
export function isRequiredOf(
  required: RequiredFor,
  { role }: Pick<Session, 'role'> | Pick<ConsoleAccount, 'role'>,
): boolean {
  if (required === 'nobody' || role === 'phone') return false
  return required === 'masters_and_hosts' || role === 'master'
}

/** Knows whose account must have a second factor and lacks it. Costs no query while nothing is required, or it is there. */
export class RequiredFactors {
  readonly #deps: Pick<Deps, 'db' | 'now'>
  #rule: { required: RequiredFor } = { required: 'nobody' }
  /** The rule under which a session's account was seen with a factor. */
  readonly #met = new WeakMap<Session, object>()
  #missedAt = new WeakMap<Session, number>()

  constructor(deps: Pick<Deps, 'db' | 'now'>) {
    this.#deps = deps
  }

  /** Reads the rule, which another server may have changed. Returns 1 if it has changed. */
  async refresh(): Promise<number> {
    const required = await readRequirement(this.#deps.db)
    if (required === this.#rule.required) return 0
    this.#rule = { required }
    return 1
  }

  /** Call when an account has added a factor: its next background call asks the database again. */
  forgetMisses(): void {
    this.#missedAt = new WeakMap()
  }

  /** Returns false if only the database can tell. */
  isMet(session: Session): boolean {
    return !isRequiredOf(this.#rule.required, session) || this.#met.get(session) === this.#rule
  }

  /** Asks the database before it says no, at most once in a second for polls. */
  async check(session: Session, isBackground = false): Promise<boolean> {
    if (this.isMet(session)) return true
    const { db, now } = this.#deps
    if (isBackground && now() - (this.#missedAt.get(session) ?? 0) < RECHECK_MS) return false
    const { role, actor_id } = session
    const rule = this.#rule
    const has = await hasSecondFactor(db, {
      role: role === 'master' || role === 'host' ? role : 'assistant',
      id: actor_id,
    })
    if (has) this.#met.set(session, rule)
    else this.#missedAt.set(session, now())
    return has
  }
}

/** Changes the rule, which only a master with a second factor may do. Takes effect at the next call of every session. */
export async function requireFactors(deps: Deps, by: MasterActor, require_second_factor: RequiredFor): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockConsoleAccount(tx, by)
    if (!(await hasSecondFactor(tx, by)))
      throw new AppError('conflict', 'Add a second factor to your own account first.')
    const before = { require_second_factor: await readRequirement(tx) }
    await tx
      .insertInto('security_settings')
      .values({ require_second_factor })
      .onConflict((conflict) => conflict.column('is_only_row').doUpdateSet({ require_second_factor }))
      .execute()
    await audit(deps, tx, by, { action: 'security_changed', before, after: { require_second_factor } })
  })
  await deps.requiredFactors.refresh()
}
