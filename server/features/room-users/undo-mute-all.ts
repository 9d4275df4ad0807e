import type { Delivery, UndoMuteAll } from '../../../shared/room-users.ts'
import type { HostActor } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { nextChangeNumber } from '../../db/next-change-number.ts'
import type { Deps } from '../../deps.ts'
import type { RoomChange } from '../live-room/state/room-change.ts'
import { readLastAct, recordAct, roomChanged } from './room-acts.ts'

/** The most users that a bulk action names in one row of the audit. */
const LISTED_MAX = 500

/**
 * Reverts one Mute All in a single step. Users who were muted or unmuted individually since keep that state. Refuses
 * once the whole room has been muted or unmuted again.
 */
export async function undoMuteAll(deps: Deps, by: HostActor, undone: UndoMuteAll): Promise<Delivery & { act: string }> {
  return deps.rooms.withRoomLock(by.host_id, async () => {
    const room = await deps.rooms.get(by.host_id)
    const { number, muted, unmuted, act } = await deps.db.transaction().execute(async (tx) => {
      const { id, change_number, mute_round } = await nextChangeNumber(tx, by.host_id)
      if (mute_round !== undone.mute_round)
        throw roomChanged('The room has been muted or unmuted again in the meantime.', await readLastAct(tx, by))
      const users = await restoreMutes(tx, id, undone)
      const before = users.filter(({ mute_round }) => mute_round < undone.mute_round)
      const unmuted = before.flatMap(({ id, is_muted }) => (is_muted ? [] : [id]))
      await audit(deps, tx, by, {
        ...(undone.host_mute_all_active
          ? {
              action: 'user_unmute',
              ...(unmuted.length <= LISTED_MAX && deps.listedUsers.tryTake(by.host_id, unmuted.length)
                ? { before: { users: unmuted.map((id) => ({ id, is_muted: true })) }, after: { is_muted: false } }
                : { after: { is_muted: false, users_changed: unmuted.length } }),
            }
          : {
              action: 'unmute_all',
              before: { host_mute_all_active: true },
              after: { host_mute_all_active: false },
            }),
      })
      const action = undone.host_mute_all_active ? 'user_unmute' : 'unmute_all'
      const act = await recordAct(deps, tx, by, { action, number: change_number })
      return { number: change_number, act, muted: users.flatMap(({ id, is_muted }) => (is_muted ? [id] : [])), unmuted }
    })
    const changes: RoomChange[] = undone.host_mute_all_active
      ? [{ type: 'mute', ids: unmuted, is_muted: false, by: by.acts_as, act }]
      : [
          { type: 'mute-all', active: false, except: [], act },
          { type: 'mute', ids: muted, is_muted: true, by: by.acts_as, act },
        ]
    await deps.rooms.commit(by.host_id, number, changes)
    deps.metrics.commands.inc({ action: 'undo-mute-all' })
    return { ...(await room.deliveryTo(undone.host_mute_all_active ? unmuted : 'all users')), act: act.act }
  })
}

/**
 * Revalidates each user's own mute, which outlives Mute All in its row but is void by the number of its round. Returns
 * the users with a mute of their own, each with its former round.
 */
async function restoreMutes(tx: Tx, room_id: string, { mute_round, host_mute_all_active }: UndoMuteAll) {
  const restored = mute_round + 1
  const users = await tx
    .selectFrom('room_users')
    .select(['id', 'is_muted', 'mute_round'])
    .where('room_id', '=', room_id)
    .where('mute_round', 'in', [mute_round - 1, mute_round])
    .forUpdate()
    .execute()
  await tx.updateTable('rooms').set({ host_mute_all_active, mute_round: restored }).where('id', '=', room_id).execute()
  await tx
    .updateTable('room_users')
    .set({ mute_round: restored })
    .where('room_id', '=', room_id)
    .where('mute_round', 'in', [mute_round - 1, mute_round])
    .execute()
  return users
}
