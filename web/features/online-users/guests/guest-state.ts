import type { Attendee } from '../../../../shared/seat.ts'
import type { TileColour, TileState } from '../tiles/tile-state.ts'

type Heard = Pick<Attendee, 'audio' | 'muted' | 'hand' | 'is_allowed'>
type GuestState = { colour: TileColour; state: TileState; word: string }

/** Says what the seat sees of a guest. `lock`: Mute All holds in Zoom too. */
export function guestState({ audio, muted, hand }: Heard, isSpeaking: boolean): GuestState {
  if (isSpeaking) return { colour: 'red', state: 'speaking', word: 'Speaking' }
  if (hand) return { colour: 'red', state: 'wants-to-speak', word: 'Wants to speak' }
  if (audio === '') return { colour: 'yellow', state: 'listening', word: 'No sound' }
  if (muted === null) return { colour: 'yellow', state: 'listening', word: 'Listening' }
  return muted
    ? { colour: 'yellow', state: 'muted', word: 'Muted' }
    : { colour: 'green', state: 'speaker-on', word: 'Microphone on' }
}

/** Says with what a guest is in the meeting, and as what. */
export function guestMarks(
  one: Pick<Attendee, 'audio' | 'is_bot' | 'is_host' | 'is_co_host' | 'by' | 'is_allowed'>,
): string[] {
  return [
    one.is_host ? 'Host' : one.is_co_host ? 'Co-host' : null,
    one.is_bot ? 'Bot' : null,
    one.audio === 'phone' ? 'Telephone' : null,
    one.by === 'name' ? 'Known by name' : null,
    one.is_allowed ? 'May speak' : null,
  ].filter((mark) => mark !== null)
}
