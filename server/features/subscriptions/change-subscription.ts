import type { z } from 'zod'
import { readSubscription, type SubscriptionDates } from '../../../shared/subscription-dates.ts'
import type { SubscriptionChange } from '../../../shared/subscriptions.ts'
import type { MasterActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { lockHost } from '../../db/lock-host.ts'
import { nextUpdatedAt } from '../../db/next-updated-at.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { voidAccountLinksOfHost } from '../auth/account-links.ts'
import type { Session } from '../auth/session-rows.ts'

type Action = z.infer<typeof SubscriptionChange>['action']

interface Change {
  host_id: string
  action: Action
  change: (before: SubscriptionDates, now: Date) => SubscriptionDates
  months?: number | null
}

/** Returns the sessions that a cancellation ended; sign them out after the commit. */
export async function changeSubscription(
  deps: Deps,
  tx: Tx,
  by: MasterActor,
  { host_id, action, change, months = null }: Change,
): Promise<Session[]> {
  const host = await lockHost(tx, host_id)
  if (!host || host.deleted_at) throw notFound('Host')
  const now = new Date(deps.now())
  const after = change(host, now)
  if (after === host) return []
  const { subscription_type, subscription_start_date, subscription_end_date, subscription_cancelled_at } = after
  await tx
    .updateTable('hosts')
    .set({
      subscription_type,
      subscription_start_date,
      subscription_end_date,
      subscription_cancelled_at,
      updated_at: nextUpdatedAt(now),
    })
    .where('id', '=', host_id)
    .execute()
  await recordChange(deps, tx, by, { host_id, action, months, before: host, after })
  const isCancelled = subscription_cancelled_at !== null && host.subscription_cancelled_at === null
  if (!isCancelled) return []
  await voidAccountLinksOfHost(tx, host_id)
  return deps.sessions.endRows(tx, { host_id }, 'cancelled')
}

interface RecordedChange {
  host_id: string
  action: Action
  months: number | null
  before: SubscriptionDates
  after: SubscriptionDates
}

export async function recordChange(
  deps: Deps,
  tx: Tx,
  by: MasterActor,
  { host_id, action, months, before, after }: RecordedChange,
): Promise<void> {
  const now = new Date(deps.now())
  const by_id = by.id
  const { email } = await tx.selectFrom('masters').select('email').where('id', '=', by_id).executeTakeFirstOrThrow()
  const states = { before: readSubscription(before, now), after: readSubscription(after, now) }
  await tx
    .insertInto('subscription_changes')
    .values({
      host_id,
      at: now,
      action,
      months,
      by_id,
      by_name: email,
      before: JSON.stringify(states.before),
      after: JSON.stringify(states.after),
    })
    .execute()
  await audit(deps, tx, by, { host_id, action: `subscription_${action}`, target: host_id, ...states })
}
