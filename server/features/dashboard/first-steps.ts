import type { FirstSteps } from '../../../shared/dashboard.ts'
import type { Deps } from '../../deps.ts'

/**
 * Lists the setup steps that a new host has done; null once a first meeting has run. In a room without Zoom, which has
 * no meeting, the first phone counts.
 */
export async function findFirstSteps(
  { db }: Pick<Deps, 'db'>,
  { host_id, room_id }: { host_id: string; room_id: string },
): Promise<FirstSteps | null> {
  const found = await db
    .selectNoFrom(({ exists, selectFrom, or }) => {
      const users = selectFrom('room_users').select('id').where('room_id', '=', room_id)
      const revealed = selectFrom('audit')
        .select('id')
        .where('host_id', '=', host_id)
        .where('action', '=', 'user_credentials_revealed')
      const phones = selectFrom('stays').select('id').where('room_id', '=', room_id)
      return [
        exists(users).as('has_users'),
        or([exists(revealed), exists(users.where('login_time', 'is not', null)), exists(phones)]).as('has_sent_logins'),
        or([
          exists(selectFrom('sittings').select('room_id').where('room_id', '=', room_id)),
          exists(selectFrom('recordings').select('id').where('room_id', '=', room_id)),
        ]).as('has_met'),
        exists(phones).as('has_had_phones'),
        exists(selectFrom('zoom_links').select('host_id').where('host_id', '=', host_id)).as('has_zoom'),
      ]
    })
    .executeTakeFirstOrThrow()
  if (found.has_met || (!found.has_zoom && found.has_had_phones)) return null
  return { has_users: Boolean(found.has_users), has_sent_logins: Boolean(found.has_sent_logins) }
}
