import type { Participant } from './participant.ts'
import type { RoomChange } from './room-change.ts'
import type { RoomTimes } from './room-times.ts'

/** The phones' signs of life. Too frequent to be changes of the room: only a sweep turns them into such. */
export class Presence {
  readonly #seenAt = new Map<string, number>()

  markSeen(id: string, at: number): void {
    if (at > (this.#seenAt.get(id) ?? 0)) this.#seenAt.set(id, at)
  }

  forget(id: string): void {
    this.#seenAt.delete(id)
  }

  /** Which phones have gone offline or asleep by `at`, and of which the lists show too old a time. */
  sweep(participants: Iterable<Participant>, at: number, { lease, asleep, lastSeen }: RoomTimes) {
    const offline: { id: string; at: number }[] = []
    const silent: string[] = []
    const outdated: { id: string; at: number }[] = []
    for (const { roster, is_online, is_asleep } of participants) {
      if (!is_online) continue
      const { id } = roster
      const seenAt = this.#seenAt.get(id) ?? 0
      const shown = roster.last_seen?.getTime() ?? 0
      if (seenAt < at - lease) offline.push({ id, at: seenAt })
      else if (!is_asleep && seenAt < at - asleep) silent.push(id)
      if (shown < at - lastSeen && shown < seenAt) outdated.push({ id, at: seenAt })
    }
    const changes: RoomChange[] = []
    if (outdated.length > 0) changes.push({ type: 'last-seen', users: outdated })
    if (silent.length > 0) changes.push({ type: 'asleep', ids: silent })
    if (offline.length > 0) changes.push({ type: 'offline', users: offline })
    return { changes, offlineCount: offline.length }
  }
}
