import type { RoomBranding } from '../../../shared/mobile.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { hostUserId, numericalIdOf } from '../hosts/hosts.ts'

/** Of the host with this user id, such as H000001. A link to the room shows it to whoever has the link. */
export async function findBranding({ db }: Deps, hostId: string): Promise<RoomBranding> {
  const numericalId = numericalIdOf(hostId)
  const row =
    numericalId === null
      ? undefined
      : await db
          .selectFrom('hosts')
          .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
          .leftJoin('app_info', 'app_info.host_id', 'hosts.id')
          .select(['numerical_id', 'rooms.name as room_name', 'user_title', 'message', 'logo_url'])
          .where('numerical_id', '=', numericalId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
  if (!row) throw notFound('Room')
  const { numerical_id, ...branding } = row
  return { host_id: hostUserId(numerical_id), ...branding }
}
