import { RoomUser } from '../../shared/room-users.ts'

/**
 * Parses a polled list. An unchanged user keeps its object and is not parsed again: of two thousand users only a few
 * change between two polls.
 */
export function parseUsers(list: readonly unknown[], before: ReadonlyMap<string, RoomUser>): RoomUser[] {
  return list.map((raw) => {
    const known = before.get(idOf(raw))
    return known && isSame(known, raw) ? known : RoomUser.parse(raw)
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function idOf(raw: unknown): string {
  return isObject(raw) && typeof raw.id === 'string' ? raw.id : ''
}

/** Compares JSON values without allocating lists of keys, since it runs for each user of each poll. */
function isSame(before: unknown, after: unknown): boolean {
  if (!isObject(before) || !isObject(after)) return before === after
  let more = 0
  for (const key in after) {
    if (!isSame(before[key], after[key])) return false
    more++
  }
  for (const _ in before) more--
  return more === 0
}
