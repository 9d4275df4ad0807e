import type { RoomUser } from '../../../../shared/room-users.ts'

export type TileColour = 'red' | 'yellow' | 'green'
export type TileState = 'speaking' | 'wants-to-speak' | 'muted' | 'speaker-on' | 'listening'

type Heard = Pick<RoomUser, 'is_speaking' | 'wants_to_speak' | 'is_muted' | 'speaker_on'>

/** Red wins over mute-all, so that a host sees who asks to speak in a silenced room. */
export function tileColour(user: Heard, hostMuteAll: boolean): TileColour {
  if (user.is_speaking || user.wants_to_speak) return 'red'
  if (hostMuteAll) return 'yellow'
  return user.speaker_on ? 'green' : 'yellow'
}

/** What the colour means in one word, since two states are yellow and two are red. */
export function tileState(user: Heard): TileState {
  if (user.is_speaking) return 'speaking'
  if (user.wants_to_speak) return 'wants-to-speak'
  if (user.is_muted) return 'muted'
  return user.speaker_on ? 'speaker-on' : 'listening'
}

/** Of a phone that is online and gives no sign of life: what else the tile says is what it was when it last did. */
export const NOT_ANSWERING = 'Not answering'

export const tileWords: Record<TileState, string> = {
  speaking: 'Speaking',
  'wants-to-speak': 'Wants to speak',
  muted: 'Muted',
  'speaker-on': 'Speaker on',
  listening: 'Listening',
}
