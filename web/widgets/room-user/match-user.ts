import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { RoomUser } from '../../../shared/room-users.ts'

type Searchable = Pick<RoomUser, 'username' | 'user_id' | 'reference'>

/** An unchanged user is the same object in each poll, so its text is normalised once. */
const cache = new WeakMap<Searchable, string>()

function searchTextOf(user: Searchable): string {
  const cached = cache.get(user)
  if (cached !== undefined) return cached
  const text = [user.username, user.user_id, user.reference ?? ''].map(normaliseForComparison).join('\n')
  cache.set(user, text)
  return text
}

/** Matches the filter against username, user ID and reference, ignoring case. */
export function userMatcher(filter: string): (user: Searchable) => boolean {
  const term = normaliseForComparison(filter)
  return term === '' ? () => true : (user) => searchTextOf(user).includes(term)
}
