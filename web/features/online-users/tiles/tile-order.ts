import type { RoomUser } from '../../../../shared/room-users.ts'

/** A click this soon after its tile has moved was meant for another one. */
const MOVED_GUARD_MS = 300

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/**
 * Ids in the order of their tiles. Who is known keeps the place, even while away, so that a phone that drops and comes
 * back moves nobody twice; newcomers go to the end, by name.
 */
export function keepOrder(order: readonly string[], users: readonly Pick<RoomUser, 'id' | 'username'>[]) {
  const known = new Set(order)
  const newcomers = users.filter((user) => !known.has(user.id))
  if (newcomers.length === 0) return order
  newcomers.sort((one, other) => byName.compare(one.username, other.username))
  return [...order, ...newcomers.map((user) => user.id)]
}

/** When each tile last moved; one that appears has moved too, under a pointer that was there before. */
export function noteMoves(
  movedAt: ReadonlyMap<string, number>,
  before: readonly string[],
  after: readonly string[],
  now: number,
): ReadonlyMap<string, number> {
  const places = new Map(before.map((id, index) => [id, index]))
  return new Map(after.map((id, index) => [id, places.get(id) === index ? (movedAt.get(id) ?? -Infinity) : now]))
}

export function mayClick(movedAt: ReadonlyMap<string, number>, id: string, now: number): boolean {
  return now - (movedAt.get(id) ?? -Infinity) >= MOVED_GUARD_MS
}
