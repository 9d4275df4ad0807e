import type { RoomEvent } from '../../../shared/room-events.ts'
import { type Participant, timeOf } from './participant.ts'

/** The state of a room in the words of its events, for a listener that has just come. */
export function stateEvents(room: { id: string; hostMuteAll: boolean }, whom: Iterable<Participant>): RoomEvent[] {
  const events: RoomEvent[] = [{ name: 'host-mute-all', data: { room_id: room.id, active: room.hostMuteAll } }]
  for (const participant of whom) events.push(...presenceEvents(participant), ...phoneEvents(participant))
  return events
}

/** As much of it as a phone is told: the room's flag and what concerns itself. */
export function stateEventsForPhone(
  room: { id: string; hostMuteAll: boolean },
  own: Participant | undefined,
): RoomEvent[] {
  return [...stateEvents(room, []), ...(own && !own.isHost ? phoneEvents(own) : [])]
}

function presenceEvents(participant: Participant): RoomEvent[] {
  const { roster, is_speaking } = participant
  return [presence(participant), { name: 'user-speaking-status', data: { user_id: roster.id, is_speaking } }]
}

export function presence({ roster, is_online, is_asleep }: Participant): RoomEvent {
  return { name: 'user-online', data: { user_id: roster.id, is_online, asleep: is_asleep } }
}

function phoneEvents(participant: Participant): RoomEvent[] {
  const { id, is_muted } = participant.roster
  return [{ name: 'user-mute-status', data: { user_id: id, is_muted, by: 'host' } }, speakerToggle(participant)]
}

function speakerToggle({ roster, speaker_on, wants_to_speak, wants_to_speak_at }: Participant): RoomEvent {
  return {
    name: 'user-speaker-toggle',
    data: { user_id: roster.id, speaker_on, wants_to_speak, wants_to_speak_at: timeOf(wants_to_speak_at) },
  }
}

/** Whether the room does not know yet how a participant's voice or hand is now. */
export function isUntold(participant: Participant): boolean {
  return participant.told.is_speaking !== participant.is_speaking || isSpeakerUntold(participant)
}

function isSpeakerUntold({ told, speaker_on, wants_to_speak_at }: Participant): boolean {
  return told.speaker_on !== speaker_on || told.wants_to_speak_at !== wants_to_speak_at
}

/** What the room has to hear to know it; afterwards it does. */
export function tellVoice(participant: Participant): RoomEvent[] {
  const { roster, told, is_speaking } = participant
  const isTold = told.is_speaking === is_speaking
  told.is_speaking = is_speaking
  const speaking: RoomEvent = { name: 'user-speaking-status', data: { user_id: roster.id, is_speaking } }
  return [...(isTold ? [] : [speaking]), ...tellSpeaker(participant)]
}

/** As much of it as is told without delay: the speaker and the hand, which do not flicker as voices do. */
export function tellSpeaker(participant: Participant): RoomEvent[] {
  if (!isSpeakerUntold(participant)) return []
  participant.told.speaker_on = participant.speaker_on
  participant.told.wants_to_speak_at = participant.wants_to_speak_at
  return [speakerToggle(participant)]
}
