import type { RoomUser } from '../../../../shared/room-users.ts'
import { ApiError, messageOf } from '../../../lib/api-client.ts'
import { currentSession } from '../../../lib/session/session.ts'
import { toast } from '../../../ui/toast.tsx'
import { SETTLE_MS } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'

/** A poll is sent twice a second; later than this the connection has gone. */
const POLLED_WITHIN_MS = 3000

/** Reports a failed action; one without an answer only if the room, polled once more, does not show it done. */
export async function reportFailure(
  store: LiveRoomStore,
  error: unknown,
  fallback: string,
  { users, isDone }: { users: readonly RoomUser[]; isDone: (user: RoomUser) => boolean },
): Promise<void> {
  const isShown = () => {
    const { usersById } = store.getState()
    return users.map(({ id }) => usersById.get(id)).every((user) => user && isDone(user))
  }
  if (isUnanswered(error)) {
    if (!isShown()) await nextPoll(store)
    if (isShown()) return
  }
  toast.error(messageOf(error, fallback))
}

/** Returns the name of another person whose act was quicker; null if it was the own account, or is not known. */
export function otherWhoActed(error: unknown): string | null {
  const actor = error instanceof ApiError ? error.lastActor : undefined
  return actor && actor.id !== currentSession().user?.id ? actor.name : null
}

export const isUnanswered = (error: unknown) => error instanceof ApiError && error.status === 0

/** Resolves when a poll has been answered that was sent late enough to show the action, or when none comes. */
export function nextPoll(store: LiveRoomStore): Promise<void> {
  const since = performance.now() + SETTLE_MS
  return new Promise((resolve) => {
    const finish = () => {
      unsubscribe()
      clearTimeout(limit)
      resolve()
    }
    const limit = setTimeout(finish, POLLED_WITHIN_MS)
    const unsubscribe = store.subscribe(({ polledAt }) => {
      if (polledAt !== null && polledAt >= since) finish()
    })
  })
}
