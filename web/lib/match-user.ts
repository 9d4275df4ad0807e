import { comparable } from '../../shared/normalise.ts'
import type { RoomUser } from '../../shared/room-users.ts'

type Findable = Pick<RoomUser, 'username' | 'user_id' | 'reference'>

/** A user who has not changed is the same object from poll to poll, so its words are prepared once. */
const prepared = new WeakMap<Findable, string>()

function wordsOf(user: Findable): string {
  const known = prepared.get(user)
  if (known !== undefined) return known
  const words = [user.username, user.user_id, user.reference ?? ''].map(comparable).join('\n')
  prepared.set(user, words)
  return words
}

/** Whether a filter's words are in a user's name, user ID or reference, whatever the case. */
export function userMatcher(filter: string): (user: Findable) => boolean {
  const wanted = comparable(filter)
  return wanted === '' ? () => true : (user) => wordsOf(user).includes(wanted)
}
