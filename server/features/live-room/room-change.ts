import type { DeactivationReason } from '../../../shared/room-events.ts'
import type { Participant, RosterEntry } from './participant.ts'

/** What a phone says of itself. */
export interface Said {
  is_speaking?: boolean | undefined
  speaker_on?: boolean | undefined
  wants_to_speak?: boolean | undefined
}

/**
 * What happens in a live room. Each holds all that its effect depends on, the time too, so that every node that applies
 * the same changes in the same order comes to the same state and says the same events under the same ids.
 */
export type RoomChange =
  | { type: 'came'; id: string; at: number }
  | { type: 'went'; left: { id: string; at: number }[] } // each with its last sign of life
  | { type: 'slept'; ids: string[] } // gave no sign of life for a while, or said that it will not
  | { type: 'woke'; id: string }
  | { type: 'seen'; seen: { id: string; at: number }[] }
  | { type: 'said'; id: string; at: number; said: Said }
  | { type: 'voices-due' } // what was said since the last time is told, the last of each user
  | { type: 'acknowledged'; id: string; acks: string[] }
  | { type: 'acks-due' } // who has acknowledged since the last time is told
  | { type: 'hands-lowered'; ids: string[] }
  | { type: 'muted'; ids: string[]; is_muted: boolean; by: string }
  | { type: 'all-muted'; active: boolean }
  | { type: 'signed-out'; ids: string[]; reason: DeactivationReason; at: number }
  | { type: 'put'; entry: RosterEntry }
  | { type: 'removed'; id: string; at: number }
  | { type: 'meeting'; meeting_id: string | null }
  | { type: 'in-meeting'; id: string; in_meeting: boolean }
  | { type: 'people-in-meeting'; ids: string[] } // they and nobody else
  | { type: 'listening'; id: string; seat: string; streams: number } // how many streams of a phone are open at a seat
  | { type: 'seat-lost'; seat: string } // its streams are gone with it

/** All that a node needs to go on from where the others are. */
export interface SharedRoom {
  id: string
  epoch: string
  seq: number
  version: number
  hostMuteAll: boolean
  meetingId: string | null
  participants: Participant[]
}
