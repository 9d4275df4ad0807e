import type { Delivery } from '../../../shared/room-users.ts'
import { auditRow, byHost } from '../../db/audit-log.ts'
import { recordWith } from '../../db/idempotent-call.ts'
import type { Deps } from '../../deps.ts'
import type { SignedInHost } from '../auth/guards.ts'

/**
 * Sets or clears the room's flag, and with a new round every user's mute. One statement, since a whole room waits for it.
 */
export async function muteAll(deps: Deps, host: SignedInHost, active: boolean, ip: string): Promise<Delivery> {
  return deps.rooms.withRoomLock(host.host_id, async () => {
    const room = await deps.rooms.of(host.host_id)
    const { total, muted } = room.counts()
    const change = {
      before: { host_mute_all_active: room.hostMuteAll },
      after: { host_mute_all_active: active, users_changed: active ? total - muted : muted },
    }
    await recordWith(deps.db, (db) =>
      db
        .with('changed', (db) =>
          db
            .updateTable('rooms')
            .set((eb) => ({ host_mute_all_active: active, mute_round: eb('mute_round', '+', 1) }))
            .where('id', '=', room.id),
        )
        .insertInto('audit')
        .values(auditRow(deps, { ...byHost(host, ip), action: active ? 'mute_all' : 'unmute_all', ...change }))
        .execute(),
    )
    return room.muteAll(active)
  })
}
