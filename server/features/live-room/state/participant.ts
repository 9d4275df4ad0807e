import type { z } from 'zod'
import type { LiveState, MobileStatus, PhoneAudio, PhoneMicrophone } from '../../../../shared/mobile.ts'
import type { RoomEvent } from '../../../../shared/room-events.ts'
import type { PendingCommand, RoomUser, RoomUserStatus } from '../../../../shared/room-users.ts'
import type { RosterEntry } from './roster.ts'
import type { Spoken } from './spoken.ts'

export type StatusReport = Omit<
  NonNullable<z.output<typeof MobileStatus>>,
  'acks' | 'muted_again' | 'left' | 'rejoined'
>
export type PhoneStatus = Omit<StatusReport, 'awake'>

/** Milliseconds of silence after which a speaker's turn ends. */
export const PAUSE_MS = 5_000
/** The shortest interval between two notices about one user's microphone. */
const MUTED_AGAIN_MS = 2_000

/** A phone in the room: its user's row in the database, and state that exists only in the live room. */
export interface Participant {
  roster: RosterEntry
  isHost: boolean // the host's own phone: unlisted, and never muted
  is_online: boolean
  is_asleep: boolean // online, but silent
  is_speaking: boolean
  speaking_since: number | null // survives a pause: the next word may belong to the same turn
  silent_since: number | null
  speaker_on: boolean
  wants_to_speak: boolean
  wants_to_speak_at: number | null
  asked_to_speak: boolean // set by the host, cleared when the speaker is on
  audio: PhoneAudio | null
  microphone: PhoneMicrophone | null
  zoom_code: number | null // Zoom's refusal, while `audio` reports one
  muted_again_at: number | null // when consoles were last notified that the app closed the microphone
  in_meeting: boolean
  spoken?: Spoken | null // in the meeting under way; absent in a snapshot of the former release
  pending: (PendingCommand & { seq: number }) | null
  lastPublished: { is_speaking: boolean; speaker_on: boolean; wants_to_speak_at: number | null }
}

export function newParticipant(roster: RosterEntry, isHost = false): Participant {
  return {
    roster,
    isHost,
    is_online: false,
    is_asleep: false,
    is_speaking: false,
    speaking_since: null,
    silent_since: null,
    speaker_on: false,
    wants_to_speak: false,
    wants_to_speak_at: null,
    asked_to_speak: false,
    audio: null,
    microphone: null,
    zoom_code: null,
    muted_again_at: null,
    in_meeting: false,
    spoken: null,
    pending: null,
    lastPublished: { is_speaking: false, speaker_on: false, wants_to_speak_at: null },
  }
}

/** Applies a phone's report as far as the host permits. Returns true if anything changed. */
export function applyStatus(participant: Participant, status: PhoneStatus, at: number): boolean {
  if (!changesParticipant(participant, status)) return false
  const { is_muted } = participant.roster
  const wasSpeaking = participant.is_speaking
  if (status.speaker_on !== undefined) participant.speaker_on = status.speaker_on && !is_muted
  if (participant.speaker_on || status.declined) participant.asked_to_speak = false
  if (status.audio !== undefined) participant.audio = status.audio
  if (status.microphone !== undefined) participant.microphone = status.microphone
  if (status.zoom_code !== undefined) participant.zoom_code = status.zoom_code
  if (status.is_speaking !== undefined) participant.is_speaking = status.is_speaking && !is_muted
  else if (status.speaker_on === false) participant.is_speaking = false
  if (participant.is_speaking !== wasSpeaking) timeTurn(participant, at)
  if (status.wants_to_speak === false) lowerHand(participant)
  else if (status.wants_to_speak === true && !participant.wants_to_speak) {
    participant.wants_to_speak = true
    participant.wants_to_speak_at = at
  }
  return true
}

/** Continues a turn after a short pause, so that each sentence does not restart it. */
function timeTurn(participant: Participant, at: number): void {
  const { is_speaking, speaking_since, silent_since } = participant
  if (!is_speaking) participant.silent_since = at
  else if (speaking_since === null || silent_since === null || at - silent_since > PAUSE_MS)
    participant.speaking_since = at
}

/** Filters out the heartbeats: most status calls repeat what is known. */
export function changesParticipant(
  participant: Participant,
  { is_speaking, speaker_on, wants_to_speak, audio, zoom_code, microphone, declined }: PhoneStatus,
): boolean {
  const { is_muted } = participant.roster
  if (audio !== undefined && audio !== participant.audio) return true
  if (zoom_code !== undefined && zoom_code !== participant.zoom_code) return true
  if (microphone !== undefined && microphone !== participant.microphone) return true
  if (declined && participant.asked_to_speak) return true
  if (speaker_on !== undefined && (speaker_on && !is_muted) !== participant.speaker_on) return true
  if (is_speaking !== undefined && (is_speaking && !is_muted) !== participant.is_speaking) return true
  if (is_speaking === undefined && speaker_on === false && participant.is_speaking) return true
  return wants_to_speak !== undefined && wants_to_speak !== participant.wants_to_speak
}

/** Returns true if voice or hand changed. */
export function setMuted(participant: Participant, isMuted: boolean): boolean {
  const { is_speaking, speaker_on, wants_to_speak } = participant
  participant.roster.is_muted = isMuted
  if (isMuted) clearVoice(participant)
  else lowerHand(participant)
  return isMuted ? is_speaking || speaker_on : wants_to_speak
}

export function clearVoice(participant: Participant): void {
  participant.is_speaking = false
  participant.speaking_since = null
  participant.speaker_on = false
  participant.asked_to_speak = false
}

/** Asks only: nobody but the user opens that user's microphone. */
export function askToSpeak(participant: Participant): void {
  participant.asked_to_speak = participant.is_online && !participant.speaker_on
}

/** True if consoles should be notified that the app has closed the microphone of a muted user. */
export function isMutedAgainNoticeDue({ roster, muted_again_at }: Participant, at: number): boolean {
  return roster.is_muted && (muted_again_at === null || Math.abs(at - muted_again_at) >= MUTED_AGAIN_MS)
}

export function noteMutedAgain(participant: Participant, at: number): boolean {
  const isDue = isMutedAgainNoticeDue(participant, at)
  if (isDue) participant.muted_again_at = at
  return isDue
}

/** Returns true if the hand was up. */
export function lowerHand(participant: Participant): boolean {
  const wasUp = participant.wants_to_speak
  participant.wants_to_speak = false
  participant.wants_to_speak_at = null
  return wasUp
}

/** An offline phone has nothing pending: it gets the present state when it returns. */
export function setPending(participant: Participant, command: PendingCommand & { seq: number }): void {
  participant.pending = participant.is_online ? command : null
}

export function setLastSeen(participant: Participant, at: number): void {
  participant.roster = { ...participant.roster, last_seen: new Date(at) }
}

function statusOf({ roster, is_online }: Participant): RoomUserStatus {
  if (!roster.is_active) return 'S'
  if (is_online) return 'Online'
  return roster.phone_changed ? 'C' : 'Active'
}

export function roomUserOf(participant: Participant, roomHasZoom: boolean): RoomUser {
  const { roster, pending } = participant
  return {
    id: roster.id,
    user_id: roster.user_id,
    username: roster.username,
    reference: roster.reference,
    group_ids: roster.group_ids ?? [],
    email: roster.email,
    is_online: participant.is_online,
    asleep: participant.is_asleep,
    is_active: roster.is_active,
    last_seen: roster.last_seen?.toISOString() ?? null,
    login_time: roster.login_time?.toISOString() ?? null,
    platform: roster.platform,
    device_id: roster.device_id,
    device_model: roster.device_model,
    app_version: roster.app_version,
    status: statusOf(participant),
    is_speaking: participant.is_speaking,
    speaking_since: speakingSince(participant),
    is_muted: roster.is_muted,
    is_pinned: roster.is_pinned ?? false,
    speaker_on: participant.speaker_on,
    wants_to_speak: participant.wants_to_speak,
    wants_to_speak_at: isoOrNull(participant.wants_to_speak_at),
    asked_to_speak: participant.asked_to_speak,
    audio: participant.audio,
    microphone: participant.microphone,
    zoom_code: participant.zoom_code,
    spoken_ms: participant.spoken?.ms ?? 0,
    turns_taken: participant.spoken?.turns ?? 0,
    in_meeting: roomHasZoom ? participant.in_meeting : null,
    pending_command: pending && { id: pending.id, type: pending.type },
  }
}

export function liveStateOf(participant: Participant, hostMuteAll: boolean): LiveState {
  return {
    is_muted: participant.roster.is_muted,
    speaker_on: participant.speaker_on,
    wants_to_speak: participant.wants_to_speak,
    is_speaking: participant.is_speaking,
    host_mute_all_active: hostMuteAll,
    asked_to_speak: participant.asked_to_speak,
  }
}

/** Lists a room's state as ordinary events, for a console whose stream has just opened. */
export function stateEvents(room: { id: string; hostMuteAll: boolean }, users: Iterable<Participant>): RoomEvent[] {
  const events: RoomEvent[] = [{ name: 'host-mute-all', data: { room_id: room.id, active: room.hostMuteAll } }]
  for (const user of users) events.push(presenceEvent(user), speakingEvent(user), ...phoneEvents(user))
  return events
}

/** Lists the state for a phone, which gets the room's flag and its own state only. */
export function stateEventsForPhone(
  room: { id: string; hostMuteAll: boolean },
  participant: Participant | undefined,
): RoomEvent[] {
  return [...stateEvents(room, []), ...(participant && !participant.isHost ? phoneEvents(participant) : [])]
}

export function presenceEvent(participant: Participant): RoomEvent {
  const { roster, is_online, is_asleep, audio, zoom_code, microphone, asked_to_speak } = participant
  const data = { user_id: roster.id, is_online, asleep: is_asleep, audio, zoom_code, microphone, asked_to_speak }
  return { name: 'user-online', data }
}

function speakingEvent(participant: Participant): RoomEvent {
  const { roster, is_speaking } = participant
  const data = { user_id: roster.id, is_speaking, speaking_since: speakingSince(participant) }
  return { name: 'user-speaking-status', data }
}

function speakingSince({ is_speaking, speaking_since }: Participant): string | null {
  return is_speaking ? isoOrNull(speaking_since) : null
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

/** True if voice, speaker or hand differ from the last published state. */
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

/** Publishes speaker and hand without delay, because they do not flicker as voices do. */
export function flushSpeaker(participant: Participant): RoomEvent[] {
  if (!isSpeakerDirty(participant)) return []
  participant.lastPublished.speaker_on = participant.speaker_on
  participant.lastPublished.wants_to_speak_at = participant.wants_to_speak_at
  return [speakerToggle(participant)]
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
