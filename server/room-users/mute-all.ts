import type { Delivery } from '../../shared/room-users.ts'
import { audit } from '../audit/audit.ts'
import type { SignedInHost } from '../auth/guards.ts'
import type { Deps } from '../deps.ts'
import { byHost } from './add-room-user.ts'

/** Sets or clears the room's flag, and every user's mute with it; both outlive a restart. */
export async function setHostMuteAll(deps: Deps, host: SignedInHost, active: boolean, ip: string): Promise<Delivery> {
  return deps.rooms.exclusively(host.host_id, async () => {
    const room = await deps.rooms.of(host.host_id)
    await deps.db.transaction().execute(async (tx) => {
      await tx.updateTable('rooms').set({ host_mute_all_active: active }).where('id', '=', room.id).execute()
      const { numUpdatedRows } = await tx
        .updateTable('room_users')
        .set({ is_muted: active })
        .where('room_id', '=', room.id)
        .where('is_muted', '=', !active)
        .executeTakeFirst()
      const change = {
        before: { host_mute_all_active: room.hostMuteAll },
        after: { host_mute_all_active: active, users_changed: Number(numUpdatedRows) },
      }
      await audit(deps, tx, { ...byHost(host, ip), action: active ? 'mute_all' : 'unmute_all', ...change })
    })
    return room.muteAll(active)
  })
}
