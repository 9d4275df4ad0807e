import type { LiveState } from '../shared/mobile.ts'
import type { DeactivationReason, RoomEvent } from '../shared/room-events.ts'

/** Why a phone is no longer in the room: the host's reason, or a token that the server no longer knows. */
export type PhoneEnd = DeactivationReason | 'signed_out' | 'left'

export type PhoneState = LiveState & { id: string; is_host: boolean; ended: PhoneEnd | null }

const SILENT = { speaker_on: false, is_speaking: false }

/** What a phone does on hearing an event, before it has asked the server about anything. */
export function obey(state: PhoneState, event: RoomEvent): PhoneState {
  if (event.name === 'user-speaker-toggle') return withHand(state, event.data)
  if (!isCommandFor(state, event)) return state

  switch (event.name) {
    case 'host-mute-all': {
      const { active } = event.data
      const flagged = { ...state, host_mute_all_active: active }
      if (state.is_host) return flagged // Mute All is never for the host's own phone
      if (active) return { ...flagged, ...SILENT, is_muted: true }
      // A fresh stream says the flag as it stands: only its end is an unmuting, which answers a raised hand.
      if (!state.host_mute_all_active) return { ...flagged, is_muted: false }
      return { ...flagged, is_muted: false, wants_to_speak: false }
    }
    case 'user-mute-status':
      if (event.data.is_muted) return { ...state, ...SILENT, is_muted: true }
      return { ...state, is_muted: false, wants_to_speak: state.is_muted ? false : state.wants_to_speak }
    case 'user-deactivated':
      return endedBy(state, event.data.reason)
    default:
      return state
  }
}

/** The host may have lowered the hand. Of what the phone itself has said, the room's order of it is the true one. */
function withHand(state: PhoneState, { user_id, wants_to_speak }: { user_id: string; wants_to_speak: boolean }) {
  if (state.ended || user_id !== state.id || wants_to_speak === state.wants_to_speak) return state
  return { ...state, wants_to_speak }
}

/** Whether a phone must obey and acknowledge the event. The rest of a stream is news, its own echo included. */
export function isCommandFor(state: PhoneState, event: RoomEvent): boolean {
  if (state.ended) return false
  if (event.name === 'host-mute-all') return true
  if (event.name !== 'user-mute-status' && event.name !== 'user-deactivated') return false
  return event.data.user_id === state.id
}

export function endedBy(state: PhoneState, reason: PhoneEnd): PhoneState {
  return { ...state, ...SILENT, wants_to_speak: false, ended: state.ended ?? reason }
}
