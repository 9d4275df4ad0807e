import { type QueueOrder, sortQueue } from '../../../../shared/queue-order.ts'
import type { RoomUser } from '../../../../shared/room-users.ts'

/** Returns users with raised hands, the next to speak first. */
export function handQueue({ users, queueOrder }: Queued): RoomUser[] {
  const hands = users.filter((user) => user.wants_to_speak)
  return sortQueue(hands, queueOrder, (user) => ({ ...user, raised_at: raisedAt(user) }))
}

type Queued = { readonly users: readonly RoomUser[]; readonly queueOrder: QueueOrder }

/** A hand without a time has just been raised. */
function raisedAt({ wants_to_speak_at }: RoomUser): number {
  return wants_to_speak_at === null ? Infinity : Date.parse(wants_to_speak_at)
}

/** Skips users with a pending action, who have had their turn. */
export function nextInQueue(queue: readonly RoomUser[], busyIds: ReadonlySet<string>): RoomUser | undefined {
  return queue.find(({ id }) => !busyIds.has(id))
}

/** True while the hand that a user had raised is still up. */
export function isWaitingSince(usersById: ReadonlyMap<string, RoomUser>, { id, wants_to_speak_at }: RoomUser): boolean {
  const user = usersById.get(id)
  return user?.wants_to_speak === true && user.wants_to_speak_at === wants_to_speak_at
}

/** Returns everyone who speaks, else the user who has the floor. */
export function currentSpeakers(users: readonly RoomUser[], floorId: string | null): RoomUser[] {
  const speaking = users.filter((user) => user.is_speaking && !user.is_muted)
  return speaking.length > 0 ? speaking : users.filter((user) => user.id === floorId && !user.is_muted)
}
