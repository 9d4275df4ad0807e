import type { z } from 'zod'
import { SubscriptionChange } from '../../../shared/subscriptions.ts'
import type { Deps } from '../../deps.ts'
import { findHost } from './hosts.ts'

/** Newest first. */
export async function listSubscriptionChanges(
  deps: Deps,
  hostId: string,
): Promise<z.infer<typeof SubscriptionChange>[]> {
  await findHost(deps, hostId)
  const rows = await deps.db
    .selectFrom('subscription_changes')
    .selectAll()
    .where('host_id', '=', hostId)
    .orderBy('at', 'desc')
    .execute()
  return rows.map((row) =>
    SubscriptionChange.parse({ ...row, at: row.at.toISOString(), by: { id: row.by_id, name: row.by_name } }),
  )
}
