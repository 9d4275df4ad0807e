import { useCallback, useEffect, useRef } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useActOnRoomUsers } from '../../../lib/queries/room-users.ts'
import { toast } from '../../../ui/toast.tsx'
import type { Act } from '../controls/participant-actions.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { currentSpeakers, handQueue, letSpeakSince, nextInQueue } from './hand-queue.ts'

/** Lets one user after the other speak; reads the room at the moment of the press. */
export function useTurns(store: LiveRoomStore, busyIds: ReadonlySet<string>, act: Act) {
  const letSpeakId = useRef<string | null>(null)
  const pendingTurns = useRef(0)
  const { mutateAsync: actOnMany } = useActOnRoomUsers()

  // Another console of the host may have let somebody speak.
  useEffect(
    () =>
      store.subscribe(({ users }, before) => {
        letSpeakId.current = letSpeakSince(before.users, users)?.id ?? letSpeakId.current
      }),
    [store],
  )

  const allow = useCallback(
    async (user: RoomUser) => {
      letSpeakId.current = user.id
      pendingTurns.current++
      await act(user, 'unmute')
      pendingTurns.current--
    },
    [act],
  )

  /** One turn at a time: until the room shows whose it is, a second press would open a second microphone. */
  const allowNext = useCallback(() => {
    if (pendingTurns.current > 0) return
    const { users } = store.getState()
    const next = nextInQueue(handQueue(users), busyIds)
    if (!next) return
    const previous = users.find(({ id }) => id === letSpeakId.current)
    if (previous && previous.id !== next.id && !previous.is_muted) void act(previous, 'mute')
    void allow(next)
  }, [store, busyIds, act, allow])

  const muteCurrent = useCallback(async () => {
    const current = currentSpeakers(store.getState().users, letSpeakId.current)
    const [only] = current
    if (!only) return
    if (current.length === 1) return act(only, 'mute')
    try {
      await actOnMany({ action: 'mute', userIds: current.map(({ id }) => id) })
    } catch (error) {
      toast.error(messageOf(error, 'Failed to mute users'))
    }
  }, [store, act, actOnMany])

  return { allow, allowNext, muteCurrent }
}
