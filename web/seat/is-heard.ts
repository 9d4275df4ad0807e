import type { SeenAttendee } from '../../shared/seat.ts'

/** True for somebody else whose microphone is open in the meeting itself, whether or not it sounds. */
export const isHeard = ({ muted, audio, is_hold, is_self }: SeenAttendee) =>
  muted === false && audio !== '' && !is_hold && !is_self
