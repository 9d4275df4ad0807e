import { notFound } from '../errors.ts'
import type { Tx } from './client.ts'

/**
 * Locks the room's row (always after the host's) and assigns the next change number. Read everything the change depends
 * on after this call: the room's changes then commit in the order of their numbers.
 */
export async function nextChangeNumber(tx: Tx, host_id: string) {
  const room = await tx
    .updateTable('rooms')
    .set((eb) => ({ change_number: eb('change_number', '+', 1) }))
    .where('host_id', '=', host_id)
    .returning(['id', 'change_number', 'host_mute_all_active', 'mute_round'])
    .executeTakeFirst()
  if (!room) throw notFound('Room')
  return room
}
