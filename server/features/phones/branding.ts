import { hostUserId, numericalIdOf } from '../../../shared/host-ids.ts'
import type { RoomBranding } from '../../../shared/mobile.ts'
import type { Deps } from '../../deps.ts'

/** Returns what strangers may see of the room of a Host ID such as H000001; null if unknown or hidden. */
export async function findBranding({ db }: Deps, hostId: string): Promise<RoomBranding | null> {
  const numericalId = numericalIdOf(hostId)
  const row =
    numericalId === null
      ? undefined
      : await db
          .selectFrom('hosts')
          .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
          .innerJoin('app_info', 'app_info.host_id', 'hosts.id')
          .select(['numerical_id', 'rooms.name as room_name', 'user_title', 'logo_url'])
          .where('numerical_id', '=', numericalId)
          .where('deleted_at', 'is', null)
          .where('has_public_card', '=', true)
          .executeTakeFirst()
  if (!row) return null
  const { numerical_id, ...branding } = row
  return { host_id: hostUserId(numerical_id), ...branding }
}
