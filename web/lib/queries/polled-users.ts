import { z } from 'zod'
import { RoomUser } from '../../../shared/room-users.ts'

/**
 * The users of a polled list. Who has not changed since the last answer is given as the same object, without being
 * checked again: of two thousand users a few change between two polls.
 */
export function polledUsers() {
  let known = new Map<string, { raw: object; user: RoomUser }>()

  return z.array(z.unknown()).transform((raws, context): RoomUser[] => {
    const now: typeof known = new Map()
    for (const raw of raws) {
      const before = known.get(idOf(raw))
      if (before && isSame(before.raw, raw)) {
        now.set(before.user.id, before)
        continue
      }
      const read = RoomUser.safeParse(raw)
      if (!read.success || !isObject(raw)) {
        context.addIssue({ code: 'custom', message: `A user cannot be read: ${read.error?.message}` })
        return z.NEVER
      }
      now.set(read.data.id, { raw, user: read.data })
    }
    known = now
    return Array.from(now.values(), ({ user }) => user)
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function idOf(raw: unknown): string {
  return isObject(raw) && typeof raw.id === 'string' ? raw.id : ''
}

/** Of what JSON can hold. Makes no lists of keys: thousands of users are looked at twice a second. */
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
