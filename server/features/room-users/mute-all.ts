import { sql } from 'kysely'
import type { Delivery } from '../../../shared/room-users.ts'
import { auditRow, byHost } from '../../db/audit-log.ts'
import { recordWith } from '../../db/idempotent-call.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { SignedInHost } from '../auth/guards.ts'

type MuteAll = { active: boolean; except?: string[] | undefined }

/**
 * Sets or clears the room's flag, and with a new round every user's mute. One statement, since a whole room waits for
 * it. Users of `except` stay as they are: none of them is unmuted by it.
 */
export async function muteAll(
  deps: Deps,
  host: SignedInHost,
  { active, except = [] }: MuteAll,
  ip: string,
): Promise<Delivery> {
  return deps.rooms.withRoomLock(host.host_id, async () => {
    const room = await deps.rooms.of(host.host_id)
    const excepted = new Set(except.map((id) => id.toLowerCase()))
    if ([...excepted].some((id) => room.user(id) === null)) throw new AppError('not_found', 'User not found')
    const open = [...excepted].filter((id) => !room.isMuted(id))
    const { total, muted } = room.counts()
    const change = {
      before: { host_mute_all_active: room.hostMuteAll },
      after: {
        host_mute_all_active: active,
        users_changed: active ? total - muted - open.length : muted,
        ...(open.length > 0 && { except: open }),
      },
    }
    const { change_number } = await recordWith(deps.db, (db) =>
      db
        .with('changed', (db) =>
          db
            .updateTable('rooms')
            .set((eb) => ({
              host_mute_all_active: active,
              mute_round: eb('mute_round', '+', 1),
              change_number: eb('change_number', '+', 1),
            }))
            .where('id', '=', room.id)
            .returning(['mute_round', 'change_number']),
        )
        .with('excepted', (db) =>
          db
            .updateTable('room_users')
            .set({ is_muted: false, mute_round: sql<number>`(select mute_round from changed)` })
            .where('room_id', '=', room.id)
            .where((eb) => (open.length > 0 ? eb('id', 'in', open) : eb.lit(false))),
        )
        .with('audited', (db) =>
          db
            .insertInto('audit')
            .values(auditRow(deps, { ...byHost(host, ip), action: active ? 'mute_all' : 'unmute_all', ...change })),
        )
        .selectFrom('changed')
        .select('change_number')
        .executeTakeFirstOrThrow(),
    )
    await deps.rooms.commit(host.host_id, change_number, [{ type: 'mute-all', active, except: open }])
    return room.deliveryTo('all users', open)
  })
}
