import type { PhoneMicrophone } from '../../../shared/mobile.ts'

/** Of a user who hears the room and could not answer; null for one who could, or whose phone does not say. */
export function microphoneWords(microphone: PhoneMicrophone | null): string | null {
  return microphone === null || microphone === 'usable' ? null : 'Cannot speak'
}

const REASONS = {
  refused: 'Cannot speak: the phone does not allow the microphone',
  missing: 'Cannot speak: the phone has no microphone',
}

/** The same at length. */
export function microphoneReason(microphone: PhoneMicrophone | null): string | null {
  return microphone === null || microphone === 'usable' ? null : REASONS[microphone]
}
