import type { PhoneAudio } from '../../../shared/mobile.ts'

/** Of a phone that says that its user does not hear the meeting; null for one that has sound, or does not say. */
export function soundWords(audio: PhoneAudio | null): string | null {
  return audio === null || audio === 'on' ? null : WORDS[audio]
}

const WORDS: Record<Exclude<PhoneAudio, 'on'>, string> = {
  off: 'No sound',
  joining: 'Joining',
  blocked: 'Sound blocked',
  lost: 'Sound lost',
}
