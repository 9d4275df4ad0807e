import type { TurnLimit } from '../../../shared/turns.ts'
import { type HostActor, SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { lockHostShared } from '../../db/lock-host.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { writePlanned } from './planned-change.ts'

/** Limits every turn from now on, the one under way too. */
export async function setTurnLimit(deps: Deps, by: HostActor, limit: TurnLimit): Promise<void> {
  await deps.rooms.withRoomLock(by.host_id, async () => {
    const number = await deps.db.transaction().execute(async (tx) => {
      await lockHostShared(tx, by.host_id)
      const { id, change_number } = await nextChangeNumber(tx, by.host_id)
      const rooms = tx.selectFrom('rooms').select(['turn_limit_minutes as minutes', 'turn_limit_mutes as mutes'])
      const before = await rooms.where('id', '=', id).executeTakeFirstOrThrow()
      await tx
        .updateTable('rooms')
        .set({ turn_limit_minutes: limit.minutes, turn_limit_mutes: limit.mutes })
        .where('id', '=', id)
        .execute()
      await audit(deps, tx, by, { action: 'turn_limit_set', target: id, before, after: limit })
      return change_number
    })
    await deps.rooms.commit(by.host_id, number, [{ type: 'turn-limit', limit }])
  })
}

/**
 * Mutes the user whose turn has taken longer than it may. Each server of the room calls this, and the first one mutes.
 * If the room changes at the same moment, the next sweep tries again.
 */
export async function endTurn(deps: Pick<Deps, 'db' | 'now' | 'rooms'>, { hostId }: LiveRoom): Promise<void> {
  const room = await deps.rooms.getFresh(hostId)
  const user = room.overdueFloor?.floorId
  if (!user) return
  const written = await writePlanned(
    deps.db,
    hostId,
    room.changeNumber,
    async (tx, { id, change_number, mute_round }) => {
      await writeMute(deps, tx, { room_id: id, user, is_muted: true, mute_round })
      const after = { is_muted: true, minutes: room.turnLimit.minutes }
      const entry = { action: 'turn_ended' as const, target: user, before: { is_muted: false }, after }
      await audit(deps, tx, { ...SYSTEM, host_id: hostId }, entry)
      return change_number
    },
  )
  if (written !== null)
    await deps.rooms.commit(hostId, written, [
      { type: 'mute', ids: [user], is_muted: true, by: 'system', at: deps.now() },
    ])
}

interface Mute {
  room_id: string
  user: string
  is_muted: boolean
  mute_round: number
}

export async function writeMute(
  { now }: Pick<Deps, 'now'>,
  tx: Tx,
  { room_id, user, is_muted, mute_round }: Mute,
): Promise<void> {
  await tx
    .updateTable('room_users')
    .set({ is_muted, mute_round, updated_at: new Date(now()) })
    .where('room_id', '=', room_id)
    .where('id', '=', user)
    .execute()
}
