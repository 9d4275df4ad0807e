import { toast } from '../../../ui/toast.tsx'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'

/** How many are online; says so if no one is. */
export function countUsers(store: LiveRoomStore): number {
  const { length } = store.getState().users
  if (length === 0) toast.error('No users to perform action on')
  return length
}
