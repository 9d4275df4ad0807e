import { notFound } from '../errors.ts'
import type { Tx } from './client.ts'

/**
 * Takes the room's lock, which comes after the host's, and numbers its next change: until the commit no other server can
 * take the next number, so that a room's changes commit in their order. What the change depends on is read after it.
 */
export async function numberChange(tx: Tx, host_id: string) {
  const room = await tx
    .updateTable('rooms')
    .set((eb) => ({ change_number: eb('change_number', '+', 1) }))
    .where('host_id', '=', host_id)
    .returning(['id', 'change_number', 'host_mute_all_active', 'mute_round'])
    .executeTakeFirst()
  if (!room) throw notFound('Room')
  return room
}
