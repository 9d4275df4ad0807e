import type { RoomEvent } from '../../../shared/room-events.ts'
import type { PendingCommand } from '../../../shared/room-users.ts'
import { clearVoice, lowerHand, type Participant } from './participant.ts'

/** Where a room says its events: all of them, in order. */
export interface EventSayer {
  /** Returns the event's id, which a phone gives back to acknowledge it. */
  say(event: RoomEvent): { id: string; seq: number }
  seqOf(id: string): number | null
}

/** Silences or opens a phone; tells whether its voice or its hand changed by that. */
function silence(participant: Participant, isMuted: boolean): boolean {
  const { is_speaking, speaker_on, wants_to_speak } = participant
  participant.roster.is_muted = isMuted
  if (isMuted) clearVoice(participant)
  else lowerHand(participant)
  return isMuted ? is_speaking || speaker_on : wants_to_speak
}

function command(participant: Participant, pending: PendingCommand & { seq: number }): void {
  participant.pending = participant.is_online ? pending : null
}

/** Returns those whose voice or hand changed. */
export function muteEach(
  events: EventSayer,
  users: readonly Participant[],
  isMuted: boolean,
  by: string,
): Participant[] {
  return users.filter((participant) => {
    const data = { user_id: participant.roster.id, is_muted: isMuted, by }
    command(participant, { ...events.say({ name: 'user-mute-status', data }), type: isMuted ? 'mute' : 'unmute' })
    return silence(participant, isMuted)
  })
}

/** As `muteEach`, by one event for all. */
export function muteAll(
  events: EventSayer,
  users: readonly Participant[],
  room_id: string,
  active: boolean,
): Participant[] {
  const said = events.say({ name: 'host-mute-all', data: { room_id, active } })
  const pending = { ...said, type: active ? ('mute-all' as const) : ('unmute-all' as const) }
  return users.filter((participant) => {
    command(participant, pending)
    return silence(participant, active)
  })
}

/** An acknowledged event acknowledges those before it too: a stream keeps their order. Tells whether one was awaited. */
export function acknowledge(events: EventSayer, participant: Participant, acks: string[]): boolean {
  const heard = Math.max(...acks.map((id) => events.seqOf(id) ?? -1))
  if (!participant.pending || participant.pending.seq > heard) return false
  participant.pending = null
  return true
}
