import { useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { DOUBLE_PRESS_MS } from '../../../lib/once.ts'
import { useActOnRoomUsers, useLetNextSpeak } from '../../../queries/room-users.ts'
import { guardIntervalOf } from '../../../ui/use-click-guard.ts'
import { reportFailure } from '../controls/failures.ts'
import { type Act, isDone } from '../controls/participant-actions.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { currentSpeakers, handQueue, isWaitingSince, nextInQueue } from './hand-queue.ts'

/** Lets users speak one after another; reads the room at the moment of the press. */
export function useNextSpeaker(store: LiveRoomStore, busyIds: ReadonlySet<string>, act: Act) {
  const pendingTurns = useRef(new Set<RoomUser>())
  const [slowTurns, setSlowTurns] = useState<readonly RoomUser[]>([])
  const isBusy = useStore(store, ({ usersById }) => slowTurns.some((user) => isWaitingSince(usersById, user)))
  const { mutateAsync: letNextSpeak } = useLetNextSpeak()
  const { mutateAsync: actOnMany } = useActOnRoomUsers()

  // A press right after another press, or right after the first hand left, was meant for the earlier hand.
  const pressedAt = useRef(-Infinity)
  const movedAt = useRef(-Infinity)
  useEffect(
    () =>
      store.subscribe((room, before) => {
        if (room.users === before.users && room.queueOrder === before.queueOrder) return
        const [was] = handQueue(before)
        if (was && handQueue(room)[0]?.id !== was.id) movedAt.current = performance.now()
      }),
    [store],
  )

  /** A turn is over when it is answered, or the room shows it. Meanwhile Next is busy, after a double press's time. */
  const takeTurn = useCallback(async (user: RoomUser, turn: () => Promise<unknown>) => {
    pendingTurns.current.add(user)
    const slow = setTimeout(() => setSlowTurns((now) => [...now, user]), DOUBLE_PRESS_MS)
    await turn()
    clearTimeout(slow)
    pendingTurns.current.delete(user)
    setSlowTurns((now) => (now.includes(user) ? now.filter((one) => one !== user) : now))
  }, [])

  const allow = useCallback(
    (user: RoomUser) =>
      void takeTurn(user, () =>
        act(user, 'unmute', { is_muted: user.is_muted, wants_to_speak_at: user.wants_to_speak_at }),
      ),
    [act, takeTurn],
  )

  /**
   * The call names the intended user, so that the server refuses it if another console acted first. `detail` counts the
   * clicks of a double click; a key has none.
   */
  const allowNext = useCallback(
    (detail = 0) => {
      const now = performance.now()
      const last = Math.max(pressedAt.current, movedAt.current)
      if (now - last < guardIntervalOf(detail)) return
      const { users, usersById, queueOrder, floorId } = store.getState()
      if ([...pendingTurns.current].some((user) => isWaitingSince(usersById, user))) return
      const next = nextInQueue(handQueue({ users, queueOrder }), busyIds)
      if (!next) return
      pressedAt.current = now
      const expect = { next: next.id, wants_to_speak_at: next.wants_to_speak_at, floor_user_id: floorId }
      void takeTurn(next, () =>
        letNextSpeak({ id: next.id, expect }).catch((error: unknown) =>
          reportFailure(store, error, 'Failed to unmute user', { users: [next], isDone: isDone.unmute }),
        ),
      )
    },
    [store, busyIds, letNextSpeak, takeTurn],
  )

  const muteCurrent = useCallback(async () => {
    const { users, floorId } = store.getState()
    const current = currentSpeakers(users, floorId)
    const [only] = current
    if (!only) return
    if (current.length === 1) return act(only, 'mute')
    try {
      await actOnMany({ action: 'mute', userIds: current.map(({ id }) => id) })
    } catch (error) {
      await reportFailure(store, error, 'Failed to mute users', { users: current, isDone: isDone.mute })
    }
  }, [store, act, actOnMany])

  return { allow, allowNext, isBusy, muteCurrent }
}
