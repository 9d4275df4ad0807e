import type { LiveState } from '../../../shared/mobile.ts'
import type { PendingCommand, RoomUser, RoomUserStatus } from '../../../shared/room-users.ts'
import type { Said } from './room-change.ts'

/** What the database knows of a room user, as the lists show it. */
export interface RosterEntry {
  id: string
  user_id: string
  username: string
  reference: string | null
  email: string | null
  is_active: boolean
  is_muted: boolean
  phone_changed: boolean
  last_seen: Date | null
  login_time: Date | null
  device_id: string | null
  device_model: string | null
  platform: string | null
  app_version: string | null
}

/** A phone in the room: what the database knows of its user, and what only the live room knows. */
export interface Participant {
  roster: RosterEntry
  isHost: boolean // the host's own phone: in no list, and never muted
  is_online: boolean
  is_asleep: boolean // online, but gives no sign of life
  is_speaking: boolean
  speaker_on: boolean
  wants_to_speak: boolean
  wants_to_speak_at: number | null
  in_meeting: boolean
  pending: (PendingCommand & { seq: number }) | null
  hasAcknowledged: boolean // and the room was not told of it yet
  streams: Record<string, number> | null // open ones by seat; null: none
  told: ToldVoice
}

/** What the room was last told of a participant's voice. */
interface ToldVoice {
  is_speaking: boolean
  speaker_on: boolean
  wants_to_speak_at: number | null // null: does not want to
}

export function newParticipant(roster: RosterEntry, isHost = false): Participant {
  return {
    roster,
    isHost,
    is_online: false,
    is_asleep: false,
    is_speaking: false,
    speaker_on: false,
    wants_to_speak: false,
    wants_to_speak_at: null,
    in_meeting: false,
    pending: null,
    hasAcknowledged: false,
    streams: null,
    told: { is_speaking: false, speaker_on: false, wants_to_speak_at: null },
  }
}

/** Takes over what a phone says, as far as the host lets it; tells whether that changed anything. */
export function hear(participant: Participant, said: Said, at: number): boolean {
  if (!wouldChange(participant, said)) return false
  const { is_muted } = participant.roster
  if (said.speaker_on !== undefined) participant.speaker_on = said.speaker_on && !is_muted
  if (said.is_speaking !== undefined) participant.is_speaking = said.is_speaking && !is_muted
  else if (said.speaker_on === false) participant.is_speaking = false
  if (said.wants_to_speak === false) lowerHand(participant)
  else if (said.wants_to_speak === true && !participant.wants_to_speak) {
    participant.wants_to_speak = true
    participant.wants_to_speak_at = at
  }
  return true
}

/** Most status calls are heartbeats that say again what is known. */
export function wouldChange(participant: Participant, { is_speaking, speaker_on, wants_to_speak }: Said): boolean {
  const { is_muted } = participant.roster
  if (speaker_on !== undefined && (speaker_on && !is_muted) !== participant.speaker_on) return true
  if (is_speaking !== undefined && (is_speaking && !is_muted) !== participant.is_speaking) return true
  if (is_speaking === undefined && speaker_on === false && participant.is_speaking) return true
  return wants_to_speak !== undefined && wants_to_speak !== participant.wants_to_speak
}

export function clearVoice(participant: Participant): void {
  participant.is_speaking = false
  participant.speaker_on = false
}

/** Tells whether the hand was up. */
export function lowerHand(participant: Participant): boolean {
  const wasUp = participant.wants_to_speak
  participant.wants_to_speak = false
  participant.wants_to_speak_at = null
  return wasUp
}

export function setStreams(participant: Participant, seat: string, streams: number): void {
  const { [seat]: _before, ...others } = participant.streams ?? {}
  const now = streams > 0 ? { ...others, [seat]: streams } : others
  participant.streams = Object.keys(now).length > 0 ? now : null
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
    is_muted: roster.is_muted,
    speaker_on: participant.speaker_on,
    wants_to_speak: participant.wants_to_speak,
    wants_to_speak_at: timeOf(participant.wants_to_speak_at),
    in_meeting: roomHasZoom ? participant.in_meeting : null,
    pending_command: pending && { id: pending.id, type: pending.type },
  }
}

export function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

export function liveStateOf(participant: Participant, hostMuteAll: boolean): LiveState {
  return {
    is_muted: participant.roster.is_muted,
    speaker_on: participant.speaker_on,
    wants_to_speak: participant.wants_to_speak,
    is_speaking: participant.is_speaking,
    host_mute_all_active: hostMuteAll,
  }
}
