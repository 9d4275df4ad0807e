import type { LiveState } from '../../shared/mobile.ts'
import type { PendingCommand, RoomUser, RoomUserStatus } from '../../shared/room-users.ts'

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
  is_speaking: boolean
  speaker_on: boolean
  wants_to_speak: boolean
  wants_to_speak_at: number | null
  in_meeting: boolean
  pending: (PendingCommand & { seq: number }) | null
  seen_at: number // the last sign of life
  told: { is_speaking: boolean; speaker: string } // what the room was last told of its voice
}

export function newParticipant(roster: RosterEntry, isHost = false): Participant {
  const participant = {
    roster,
    isHost,
    is_online: false,
    is_speaking: false,
    speaker_on: false,
    wants_to_speak: false,
    wants_to_speak_at: null,
    in_meeting: false,
    pending: null,
    seen_at: 0,
    told: { is_speaking: false, speaker: '' },
  }
  participant.told.speaker = JSON.stringify(speakerToggleOf(participant))
  return participant
}

export function speakerToggleOf({ roster, speaker_on, wants_to_speak, wants_to_speak_at }: Participant) {
  const at = wants_to_speak_at === null ? null : new Date(wants_to_speak_at).toISOString()
  return { user_id: roster.id, speaker_on, wants_to_speak, wants_to_speak_at: at }
}

export function clearVoice(participant: Participant): void {
  participant.is_speaking = false
  participant.speaker_on = false
}

export function lowerHand(participant: Participant): void {
  participant.wants_to_speak = false
  participant.wants_to_speak_at = null
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
    wants_to_speak_at:
      participant.wants_to_speak_at === null ? null : new Date(participant.wants_to_speak_at).toISOString(),
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
  }
}
