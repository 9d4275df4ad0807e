import type { Translate } from '../words/words.ts'
import type { CurrentLogin } from './use-link-owner.ts'

/** Says who is signed in on this phone. */
export function currentLoginText(t: Translate, current: NonNullable<CurrentLogin>): string {
  if (current === 'unknown') return t('link.signed_in')
  return t('link.signed_in_as', { name: current.user.username, room: current.room.room_name })
}
