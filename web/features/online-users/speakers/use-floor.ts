import { useCallback, useState } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useActOnRoomUsers } from '../../../lib/queries/room-users.ts'
import { toast } from '../../../ui/toast.tsx'
import type { Act } from '../controls/participant-actions.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { currentSpeakers, handQueue, nextInQueue } from './hand-queue.ts'

/** Who may speak in turn: hands the floor to one asker after the other, as the room is at the moment of the press. */
export function useFloor(store: LiveRoomStore, busyIds: ReadonlySet<string>, act: Act) {
  const [letSpeakId, setLetSpeakId] = useState<string | null>(null)
  const { mutateAsync: actOnMany } = useActOnRoomUsers()

  const allow = useCallback(
    (user: RoomUser) => {
      setLetSpeakId(user.id)
      void act(user, 'unmute')
    },
    [act],
  )

  /** Also takes the floor from whoever was let speak before. */
  const allowNext = useCallback(() => {
    const { users } = store.current()
    const next = nextInQueue(handQueue(users), busyIds)
    if (!next) return
    const before = users.find(({ id }) => id === letSpeakId)
    if (before && before.id !== next.id && !before.is_muted) void act(before, 'mute')
    allow(next)
  }, [store, busyIds, letSpeakId, act, allow])

  const muteCurrent = useCallback(async () => {
    const current = currentSpeakers(store.current().users, letSpeakId)
    const [only] = current
    if (!only) return
    if (current.length === 1) return act(only, 'mute')
    try {
      await actOnMany({ action: 'mute', userIds: current.map(({ id }) => id) })
    } catch (error) {
      toast.error(messageOf(error, 'Failed to mute users'))
    }
  }, [store, letSpeakId, act, actOnMany])

  return { allow, allowNext, muteCurrent }
}
