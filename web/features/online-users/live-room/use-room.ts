import { useSyncExternalStore } from 'react'
import type { LiveRoom } from './live-room.ts'
import type { LiveRoomStore } from './live-room-store.ts'

/**
 * A part of the room as it is now. Whoever asks is drawn anew only when that part has become another value, so `part`
 * gives what the room holds, or a plain value, and makes no new object.
 */
export function useRoom<T>(store: LiveRoomStore, part: (room: LiveRoom) => T): T {
  return useSyncExternalStore(store.subscribe, () => part(store.current()))
}

export const usersOf = (room: LiveRoom) => room.users
export const isMuteAllOn = (room: LiveRoom) => room.hostMuteAll.active
