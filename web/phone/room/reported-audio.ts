import type { PhoneAudio } from '../../../shared/mobile.ts'
import type { SoundState } from '../../meeting/meeting-audio.ts'
import type { SoundTrouble } from '../../meeting/messages.ts'

const BY_TROUBLE: Partial<Record<SoundTrouble, PhoneAudio>> = {
  host_absent: 'waiting',
  host_unknown: 'waiting',
  waiting_room: 'waiting',
  meeting_ended: 'waiting',
  join_failed: 'refused',
  refused: 'refused',
  removed: 'removed',
  not_admitted: 'removed',
}

/** Returns the state of the sound that the host sees, with the code of Zoom's refusal. */
export function reportedAudio({ audio, trouble, zoom_code }: SoundState) {
  return { audio: (trouble && BY_TROUBLE[trouble]) ?? audio, zoom_code }
}
