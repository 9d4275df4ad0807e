import type { LiveState } from '../mobile.ts'
import type { PhoneWords, WordEvent } from '../phone-words.ts'
import type { DeactivationReason, RoomEvent } from '../room-events.ts'

/** Reasons why a phone left the room: the host's, an invalid token, its own decision, or another tab of its browser. */
export type PhoneEnd = DeactivationReason | 'signed_out' | 'left' | 'other_tab'

export type PhoneState = LiveState & {
  id: string
  is_host: boolean
  asked_to_speak: boolean // by the host, who has unmuted the user; true until the microphone is on
  ended: PhoneEnd | null
}

const SILENT = { speaker_on: false, is_speaking: false, asked_to_speak: false }

/** Applies an event to the phone's state, without a call to the server. */
export function obey(state: PhoneState, event: RoomEvent): PhoneState {
  if (event.name === 'user-speaker-toggle') return withHand(state, event.data)
  if (event.name === 'word') return withWord(state, event.data)
  if (!isCommandFor(state, event)) return state

  switch (event.name) {
    case 'host-mute-all': {
      const { active, except = [] } = event.data
      const flagged = { ...state, host_mute_all_active: active }
      // Mute All does not mute the host's own phone.
      if (state.is_host || (active && except.includes(state.id))) return flagged
      if (active) return { ...flagged, ...SILENT, is_muted: true }
      // A new stream repeats the flag: only a change to false unmutes, which also lowers a raised hand.
      if (!state.host_mute_all_active) return { ...flagged, is_muted: false }
      return { ...flagged, is_muted: false, wants_to_speak: false }
    }
    case 'user-mute-status':
      if (event.data.is_muted) return { ...state, ...SILENT, is_muted: true }
      if (!state.is_muted) return { ...state } // a new stream repeats the state, which requests nothing of the user
      return { ...state, is_muted: false, wants_to_speak: false, asked_to_speak: true }
    case 'user-deactivated':
      return withEnd(state, event.data.reason)
    default:
      return state
  }
}

type Hand = { user_id: string; speaker_on: boolean; wants_to_speak: boolean }

/** The host may have lowered the hand, so the order of the server's changes decides. */
function withHand(state: PhoneState, { user_id, speaker_on, wants_to_speak }: Hand) {
  if (state.ended || user_id !== state.id) return state
  const asked_to_speak = state.asked_to_speak && !speaker_on
  if (wants_to_speak === state.wants_to_speak && asked_to_speak === state.asked_to_speak) return state
  return { ...state, wants_to_speak, asked_to_speak }
}

function withWord(state: PhoneState, { as_of, to, user_id = state.id, word }: WordEvent): PhoneState {
  if (state.ended || user_id !== state.id) return state
  const others = state.words?.list.filter((one) => one.to !== to) ?? []
  const list = word === null ? others : to === 'user' ? [word, ...others] : [...others, word]
  const words = newerWords(state.words, { as_of, list })
  return words === state.words ? state : { ...state, words }
}

/** An answer may be overtaken by an event, or by a later answer. Another epoch is that of a server that has begun anew. */
export function newerWords(known: PhoneWords | undefined, got: PhoneWords | undefined): PhoneWords | undefined {
  if (!known || !got) return got ?? known
  const [epoch, number] = known.as_of.split('-', 2)
  const [ofEpoch, ofNumber] = got.as_of.split('-', 2)
  return epoch === ofEpoch && Number(ofNumber) < Number(number) ? known : got
}

/** Tells whether the phone must obey and acknowledge the event. */
export function isCommandFor(state: PhoneState, event: RoomEvent): boolean {
  if (state.ended) return false
  if (event.name === 'host-mute-all') return true
  if (event.name !== 'user-mute-status' && event.name !== 'user-deactivated') return false
  return event.data.user_id === state.id
}

export function withEnd(state: PhoneState, reason: PhoneEnd): PhoneState {
  return { ...state, ...SILENT, wants_to_speak: false, ended: state.ended ?? reason }
}
