import type { PhoneAudio } from '../../../shared/mobile.ts'
import type { RoomUser } from '../../../shared/room-users.ts'

/** Explains why a user cannot hear the meeting; null if the sound works or the app does not report it. */
export function soundWords({ audio, zoom_code }: Pick<RoomUser, 'audio' | 'zoom_code'>): string | null {
  if (audio === null || audio === 'on') return null
  return audio === 'refused' && zoom_code !== null ? `${WORDS.refused} (${zoom_code})` : WORDS[audio]
}

const WORDS: Record<Exclude<PhoneAudio, 'on'>, string> = {
  off: 'No sound',
  joining: 'Joining',
  waiting: 'Waiting for the meeting',
  ready: 'Has to tap Join Audio',
  blocked: 'Sound blocked',
  lost: 'Sound lost',
  refused: 'Zoom refused',
  removed: 'Removed in Zoom',
}
