import type { z } from 'zod'
import type { Host, IntegrateHost } from '../../../shared/hosts.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import { newSubscription } from '../../../shared/subscription-dates.ts'
import type { MasterActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { refuseCommonPassword } from '../auth/common-passwords.ts'
import { connectRoom } from '../rooms/room-meeting.ts'
import { recordChange } from '../subscriptions/change-subscription.ts'
import { claimOAuthResult, requireOAuthResult } from '../zoom-accounts/oauth-results.ts'
import { linkHost } from '../zoom-accounts/zoom-links.ts'
import { findHost } from './hosts.ts'
import { HOST_NAMES, nameTaken, requireFreeNames } from './name-taken.ts'

/** Creates a host with its room, and its Zoom meeting if an OAuth result is claimed with it. */
export async function integrateHost(deps: Deps, by: MasterActor, input: z.output<typeof IntegrateHost>): Promise<Host> {
  const { username, email, oauth_result_id } = input
  const claim = oauth_result_id ? { master_id: by.id, result_id: oauth_result_id, email } : null
  if (claim) await requireOAuthResult(deps, deps.db, claim)
  await refuseCommonPassword(input.password)
  await requireFreeNames(deps.db, input)
  const password_hash = await deps.passwords.hashNew(input.password, by.id)
  const now = new Date(deps.now())
  const subscription = newSubscription(input.subscription_type ?? null, now)

  const made = await deps.db
    .transaction()
    .execute(async (tx) => {
      const account = claim ? await claimOAuthResult(deps, tx, claim) : null
      await requireFreeNames(tx, input)
      const host = await tx
        .insertInto('hosts')
        .values({
          username,
          username_key: normaliseForComparison(username),
          email,
          email_key: normaliseForComparison(email),
          mobile: input.mobile || null,
          full_name: account?.display_name ?? null,
          password_hash,
          recording_enabled: input.recording_enabled,
          storage_limit_gb: input.storage_limit_gb,
          ...subscription,
          created_at: now,
          updated_at: now,
        })
        .returning(['id', 'numerical_id'])
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('rooms')
        .values({ host_id: host.id, name: input.room_name || `ROOM-${host.numerical_id}`, created_at: now })
        .execute()
      await tx.insertInto('app_info').values({ host_id: host.id }).execute()
      if (account) await linkHost(deps, tx, host.id, account, by)
      if (input.subscription_type)
        await recordChange(deps, tx, by, {
          host_id: host.id,
          action: 'created',
          months: input.subscription_type,
          before: newSubscription(null, now),
          after: subscription,
        })
      await audit(deps, tx, by, {
        host_id: host.id,
        action: 'host_created',
        target: host.id,
        after: { username, email, mobile: input.mobile || null, storage_limit_gb: input.storage_limit_gb },
      })
      return { id: host.id, isConnected: account !== null }
    })
    .catch((error: unknown) => {
      throw nameTaken(error, HOST_NAMES)
    })

  if (made.isConnected) await connectRoom(deps, made.id)
  return findHost(deps, made.id)
}
