import type { RoomUser } from '../../../../shared/room-users.ts'
import { microphoneWords } from '../../../widgets/room-user/microphone-words.ts'
import { soundWords } from '../../../widgets/room-user/sound-words.ts'

export type TileColour = 'red' | 'yellow' | 'green'
export type TileState = 'speaking' | 'wants-to-speak' | 'muted' | 'speaker-on' | 'listening'

type Voice = Pick<RoomUser, 'is_speaking' | 'wants_to_speak' | 'is_muted' | 'speaker_on'>
type Listener = Pick<RoomUser, 'is_online' | 'audio' | 'zoom_code' | 'microphone' | 'asked_to_speak'>

/** Red wins over mute-all, so that a host sees who asks to speak in a silenced room. */
export function tileColour(user: Voice, hostMuteAll: boolean): TileColour {
  if (user.is_speaking || user.wants_to_speak) return 'red'
  if (hostMuteAll) return 'yellow'
  return user.speaker_on ? 'green' : 'yellow'
}

/** Two states are yellow and two are red, so the colour is not enough to name the state. */
export function tileState(user: Voice): TileState {
  if (user.is_speaking) return 'speaking'
  if (user.wants_to_speak) return 'wants-to-speak'
  if (user.is_muted) return 'muted'
  return user.speaker_on ? 'speaker-on' : 'listening'
}

/** The word for an online phone that does not answer; the tile's state is then the last known one. */
export const NOT_ANSWERING = 'Not answering'

export const MUTED = 'Muted'
export const MAY_SPEAK = 'May speak'

/**
 * True if the user is unmuted while everyone else is muted: yellow like the others, so the tile needs marks of its own.
 */
export function maySpeak(user: Voice, hostMuteAll: boolean): boolean {
  return hostMuteAll && !user.is_muted && !user.is_speaking && !user.wants_to_speak
}

export function tileWord(user: Voice & Listener, hostMuteAll: boolean): string {
  if (!user.is_online) return 'Offline'
  const isSpeakingOrWaiting = user.is_speaking || user.wants_to_speak
  const noSound = soundWords(user)
  if (noSound && !isSpeakingOrWaiting) return noSound
  const noVoice = microphoneWords(user.microphone)
  if (noVoice && !isSpeakingOrWaiting && !user.is_muted) return noVoice
  if (user.asked_to_speak && !isSpeakingOrWaiting) return 'Asked to speak'
  return maySpeak(user, hostMuteAll) ? MAY_SPEAK : tileWords[tileState(user)]
}

const tileWords: Record<TileState, string> = {
  speaking: 'Speaking',
  'wants-to-speak': 'Wants to speak',
  muted: MUTED,
  'speaker-on': 'Speaker on',
  listening: 'Listening',
}
