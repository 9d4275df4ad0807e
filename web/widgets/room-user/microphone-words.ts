import type { PhoneMicrophone } from '../../../shared/mobile.ts'

/** Marks a user whose microphone is unusable; null if it works or the phone does not report it. */
export function microphoneWords(microphone: PhoneMicrophone | null): string | null {
  return microphone === null || microphone === 'usable' ? null : 'Cannot speak'
}

const REASONS = {
  refused: 'Cannot speak: the phone does not allow the microphone',
  missing: 'Cannot speak: the phone has no microphone',
}

/** Explains the mark. */
export function microphoneReason(microphone: PhoneMicrophone | null): string | null {
  return microphone === null || microphone === 'usable' ? null : REASONS[microphone]
}
