import type { RoomUser } from '../../shared/room-users.ts'

/** Builds a room user as the API returns it: online and quiet by default. */
export function buildRoomUser(id: string, now: Partial<RoomUser> = {}): RoomUser {
  return {
    id,
    user_id: `U-${id}`,
    username: id,
    reference: null,
    email: null,
    is_online: true,
    asleep: false,
    is_active: true,
    last_seen: null,
    login_time: null,
    platform: 'android',
    device_id: null,
    device_model: null,
    app_version: null,
    status: 'Online',
    is_speaking: false,
    speaking_since: null,
    is_muted: false,
    speaker_on: false,
    wants_to_speak: false,
    wants_to_speak_at: null,
    asked_to_speak: false,
    audio: null,
    microphone: null,
    zoom_code: null,
    in_meeting: null,
    pending_command: null,
    ...now,
  }
}
