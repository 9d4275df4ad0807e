import { BY_SYSTEM } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { type Effect, NOBODY, readTold, type Told, type Work } from '../../zoom/webhook-event.ts'
import { Deauthorized } from '../../zoom/webhook-schemas.ts'
import { liveRoomOf } from '../rooms/zoom-events.ts'
import { purgeZoomData } from './deauthorize-purge.ts'
import { forgetLink } from './zoom-links.ts'

/** Zoom gives us ten days to delete what we hold; a day of them is for a server that was off. */
const PURGE_AFTER_MS = 9 * 24 * 3_600_000

/**
 * A Zoom user has taken the app away. Its tokens go at once, its data soon, or now where it asks for that. Zoom tells it
 * also when we have given a grant back ourselves: then there is no link any more, and nothing is done.
 */
export const appDeauthorized: Work = async (deps, tx, told) => {
  const { account_id, user_id, client_id, user_data_retention } = readTold(Deauthorized, told.payload)
  if (client_id !== deps.config.ZOOM_CLIENT_ID) {
    deps.log.warn('Zoom tells of another app than ours')
    return NOBODY
  }
  const ids = { zoom_account_id: account_id, zoom_user_id: user_id }
  await forgetResults(tx, ids, told)
  const link = await tx
    .selectFrom('zoom_links')
    .select(['host_id', 'email'])
    .where('zoom_account_id', '=', account_id)
    .where('zoom_user_id', '=', user_id)
    .where('connected_at', '<=', told.at) // a consent that was given later is another one
    .forUpdate()
    .executeTakeFirst()
  if (!link) return NOBODY

  const { host_id, email } = link
  await forgetLink(deps, tx, host_id, BY_SYSTEM)
  const mayKeep = user_data_retention === 'true'
  const isAtOnce = user_data_retention === 'false'
  const due_at = new Date(isAtOnce ? deps.now() : told.at.getTime() + PURGE_AFTER_MS)
  if (!mayKeep) await schedulePurge(tx, { host_id, ...ids, email, deauthorized_at: told.at, due_at })
  return effectOn(deps, host_id, isAtOnce ? ids : null)
}

function effectOn(
  deps: Deps,
  host_id: string,
  purged: { zoom_account_id: string; zoom_user_id: string } | null,
): Effect {
  return {
    host_id,
    async afterwards() {
      const live = await liveRoomOf(deps, host_id)
      await live?.setMeeting(null)
      if (purged) await purgeZoomData(deps, { host_id, ...purged })
    },
  }
}

/** A consent that no host has claimed yet holds tokens too. */
async function forgetResults(tx: Tx, ids: { zoom_account_id: string; zoom_user_id: string }, { at }: Told) {
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
