import type { Translate } from '../words/words.ts'
import type { Present } from './use-link-facts.ts'

/** Says who is signed in on this phone. */
export function presentWords(t: Translate, present: NonNullable<Present>): string {
  if (present === 'unknown') return t('link.signed_in')
  return t('link.signed_in_as', { name: present.user.username, room: present.room.room_name })
}
