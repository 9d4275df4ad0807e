import type { Tx } from '../../db/client.ts'
import type { RoomChange } from '../live-room/room-change.ts'

/**
 * Deletes the one-time links of these users and their requests for a new phone, in the transaction that takes away what
 * they were made with. Returns what consoles are to be told.
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

/** A phone that was signed out does not come back by a link that was made before. Returns the users who had one. */
export async function voidSignInLinks(tx: Tx, room_user_ids: string[]): Promise<string[]> {
  if (room_user_ids.length === 0) return []
  const links = tx.deleteFrom('sign_in_links').where('room_user_id', 'in', room_user_ids).returning('room_user_id')
  return (await links.execute()).map(({ room_user_id }) => room_user_id)
}

export async function voidSignInLinksOfHost(tx: Tx, host_id: string): Promise<void> {
  const users = tx.selectFrom('room_users').innerJoin('rooms', 'rooms.id', 'room_id').where('host_id', '=', host_id)
  await tx.deleteFrom('sign_in_links').where('room_user_id', 'in', users.select('room_users.id')).execute()
}
