import { toast } from '../../../ui/toast.tsx'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'

/** Counts the online users, and shows an error if there are none. */
export function countOnlineUsers(store: LiveRoomStore): number {
  const { length } = store.getState().users
  if (length === 0) toast.error('No users to perform action on')
  return length
}
