import { DAY_MS } from '../../../shared/dates.ts'
import { SYSTEM } from '../../db/actor.ts'
import type { Tx } from '../../db/client.ts'
import { IGNORED, parsePayload, type WebhookHandler } from '../../zoom/webhook-event.ts'
import { Deauthorized } from '../../zoom/webhook-schemas.ts'
import { purgeZoomData } from './deauthorize-purge.ts'
import { deleteLink } from './zoom-links.ts'

/** Zoom requires the deletion within ten days. One day is left for a server that was off. */
const PURGE_AFTER_MS = 9 * DAY_MS

/**
 * Handles a Zoom user's removal of the app. Deletes its tokens at once, its data later, or now if Zoom requires it.
 * Zoom sends this event also after our own revocation: then no link is left, and nothing to do.
 */
export const appDeauthorized: WebhookHandler = async (deps, tx, event) => {
  const { account_id, user_id, client_id, user_data_retention } = parsePayload(Deauthorized, event.payload)
  if (client_id !== deps.config.ZOOM_CLIENT_ID) {
    deps.log.warn({ client_id }, 'zoom.other_app_deauthorized')
    return IGNORED
  }
  const ids = { zoom_account_id: account_id, zoom_user_id: user_id }
  await deleteResults(tx, ids, event.at)
  const link = await tx
    .selectFrom('zoom_links')
    .select(['host_id', 'email'])
    .where('zoom_account_id', '=', account_id)
    .where('zoom_user_id', '=', user_id)
    .where('connected_at', '<=', event.at) // a later consent is another grant
    .forUpdate()
    .executeTakeFirst()
  if (!link) return IGNORED

  const { host_id, email } = link
  const { change_number } = await deleteLink(deps, tx, host_id, SYSTEM)
  const mayKeep = user_data_retention === 'true'
  const isAtOnce = user_data_retention === 'false'
  const due_at = new Date(isAtOnce ? deps.now() : event.at.getTime() + PURGE_AFTER_MS)
  if (!mayKeep) await schedulePurge(tx, { host_id, ...ids, email, deauthorized_at: event.at, due_at })
  return {
    host_id,
    async afterCommit() {
      await deps.rooms.commit(host_id, change_number, [{ type: 'meeting', meeting_id: null }])
      if (isAtOnce) await purgeZoomData(deps, { host_id, ...ids })
    },
  }
}

/** Deletes unclaimed OAuth results, which hold tokens too. */
async function deleteResults(tx: Tx, ids: { zoom_account_id: string; zoom_user_id: string }, at: Date) {
  const RESULT_MS = 10 * 60_000
  await tx
    .deleteFrom('oauth_results')
    .where('zoom_account_id', '=', ids.zoom_account_id)
    .where('zoom_user_id', '=', ids.zoom_user_id)
    .where('expires_at', '<=', new Date(at.getTime() + RESULT_MS))
    .execute()
}

type Purge = Parameters<typeof purgeZoomData>[1] & { email: string; deauthorized_at: Date; due_at: Date }

async function schedulePurge(tx: Tx, purge: Purge): Promise<void> {
  const { email, deauthorized_at, due_at } = purge
  await tx
    .insertInto('zoom_purges')
    .values(purge)
    .onConflict((conflict) =>
      conflict.columns(['host_id', 'zoom_account_id', 'zoom_user_id']).doUpdateSet({ email, deauthorized_at, due_at }),
    )
    .execute()
}
