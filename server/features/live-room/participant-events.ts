import type { RoomEvent } from '../../../shared/room-events.ts'
import { isoOrNull, type Participant } from './participant.ts'

/** The state of a room as ordinary events, for a console whose stream has just opened. */
export function stateEvents(room: { id: string; hostMuteAll: boolean }, users: Iterable<Participant>): RoomEvent[] {
  const events: RoomEvent[] = [{ name: 'host-mute-all', data: { room_id: room.id, active: room.hostMuteAll } }]
  for (const user of users) events.push(presenceEvent(user), speakingEvent(user), ...phoneEvents(user))
  return events
}

/** The same for a phone, which learns of the room's flag and of itself only. */
export function stateEventsForPhone(
  room: { id: string; hostMuteAll: boolean },
  own: Participant | undefined,
): RoomEvent[] {
  return [...stateEvents(room, []), ...(own && !own.isHost ? phoneEvents(own) : [])]
}

export function presenceEvent({ roster, is_online, is_asleep }: Participant): RoomEvent {
  return { name: 'user-online', data: { user_id: roster.id, is_online, asleep: is_asleep } }
}

function speakingEvent({ roster, is_speaking }: Participant): RoomEvent {
  return { name: 'user-speaking-status', data: { user_id: roster.id, is_speaking } }
}

function phoneEvents(participant: Participant): RoomEvent[] {
  const { id, is_muted } = participant.roster
  return [{ name: 'user-mute-status', data: { user_id: id, is_muted, by: 'host' } }, speakerToggle(participant)]
}

function speakerToggle({ roster, speaker_on, wants_to_speak, wants_to_speak_at }: Participant): RoomEvent {
  return {
    name: 'user-speaker-toggle',
    data: { user_id: roster.id, speaker_on, wants_to_speak, wants_to_speak_at: isoOrNull(wants_to_speak_at) },
  }
}

/** Whether voice, speaker or hand differ from what was last published. */
export function isDirty(participant: Participant): boolean {
  return participant.lastPublished.is_speaking !== participant.is_speaking || isSpeakerDirty(participant)
}

function isSpeakerDirty({ lastPublished, speaker_on, wants_to_speak_at }: Participant): boolean {
  return lastPublished.speaker_on !== speaker_on || lastPublished.wants_to_speak_at !== wants_to_speak_at
}

export function flushVoice(participant: Participant): RoomEvent[] {
  const { lastPublished, is_speaking } = participant
  const isPublished = lastPublished.is_speaking === is_speaking
  lastPublished.is_speaking = is_speaking
  return [...(isPublished ? [] : [speakingEvent(participant)]), ...flushSpeaker(participant)]
}

/** Speaker and hand go out without delay: they do not flicker as voices do. */
export function flushSpeaker(participant: Participant): RoomEvent[] {
  if (!isSpeakerDirty(participant)) return []
  participant.lastPublished.speaker_on = participant.speaker_on
  participant.lastPublished.wants_to_speak_at = participant.wants_to_speak_at
  return [speakerToggle(participant)]
}
