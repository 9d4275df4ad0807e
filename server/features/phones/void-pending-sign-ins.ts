import type { Tx } from '../../db/client.ts'
import type { RoomChange } from '../live-room/state/room-change.ts'

/**
 * Deletes the one-time links of these users and their requests for a new phone. Call in the transaction that
 * deactivates, deletes or re-passwords the users. Returns changes for the consoles.
 */
export async function voidPendingSignIns(tx: Tx, room_user_ids: string[]): Promise<RoomChange[]> {
  await voidSignInLinks(tx, room_user_ids)
  return voidPhoneRequests(tx, room_user_ids)
}

export async function voidPhoneRequests(tx: Tx, room_user_ids: string[]): Promise<RoomChange[]> {
  if (room_user_ids.length === 0) return []
  const requests = await tx
    .deleteFrom('phone_requests')
    .where('room_user_id', 'in', room_user_ids)
    .returning('room_user_id')
    .execute()
  return requests.length > 0 ? [{ type: 'phone-requests' }] : []
}

/** Prevents a signed-out phone from returning by an earlier link. Returns the users who had one. */
export async function voidSignInLinks(tx: Tx, room_user_ids: string[]): Promise<string[]> {
  if (room_user_ids.length === 0) return []
  const links = tx.deleteFrom('sign_in_links').where('room_user_id', 'in', room_user_ids).returning('room_user_id')
  return (await links.execute()).map(({ room_user_id }) => room_user_id)
}

export async function voidSignInLinksOfHost(tx: Tx, host_id: string): Promise<void> {
  const users = tx.selectFrom('room_users').innerJoin('rooms', 'rooms.id', 'room_id').where('host_id', '=', host_id)
  await tx.deleteFrom('sign_in_links').where('room_user_id', 'in', users.select('room_users.id')).execute()
}
