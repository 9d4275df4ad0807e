import type { z } from 'zod'
import type { AppInfo } from './app-info.ts'
import type { Assistant } from './assistants.ts'
import type { MasterUser } from './auth.ts'
import type { Host } from './hosts.ts'
import type { LiveState, MobileApp, MobileRoom, MobileUser } from './mobile.ts'
import type { NewPasskeyOptions, NewPasskeyResponse, PasskeyOptions } from './passkeys.ts'
import type { PhoneWords } from './phone-words.ts'
import type { PlannedMeeting } from './planned-meetings.ts'
import type { Recording, SharedRecording } from './recordings.ts'
import type { RoomUser } from './room-users.ts'
import type { StandingWord } from './room-words.ts'
import type { Room } from './rooms.ts'
import type { Attendee, SeatLease } from './seat.ts'
import type { AccountFactors } from './second-factor.ts'
import type { Subscription } from './subscriptions.ts'
import type { TranscriptLine } from './transcripts.ts'
import type { UserGroup } from './user-groups.ts'

// All examples of the API document show one installation: the choir of St Mary, its host and two of its users.

export const ID = {
  master: '6f0c1a52-8a0e-4a0c-9a53-0d5cbb9ff0b1',
  host: '0b8f7d0e-52f2-4f0f-9a3c-7a1d2b64c9e4',
  deletedHost: 'c1f4e6d2-3b7a-4d85-9e10-6a2f8b9d0c47',
  room: 'd41f3c6a-7b5e-4c1d-8f0a-2e9b60c5a713',
  anita: '3c2d9f14-61b7-4b8e-a0d5-f4c7e2918b06',
  ravi: 'a97e4b30-0c8d-4e5f-b621-58d3f7c0e94a',
  maria: '7e15b0d3-2c49-4f68-9a07-b3d8e6f1c542',
  plannedMeeting: '61d9b3e7-4c05-4f82-a7e1-0b8c5d2f9a36',
  assistant: '2f9b6c1d-7a48-4e03-b5d9-c0e8a1f73b62',
  zoya: '94c6a2e8-1f5d-4b70-8e3c-5d9b7a0f2c61',
  recording: 'e5b80c27-94d1-4f3a-8e6c-1b7f20a9d358',
  archivedRecording: '82d7a9c3-5e46-4b1f-a3d0-9c6e1f7b2805',
  passkey: '4a8e1d60-7c25-4b93-8f0e-d1b6a3c59e27',
  otherSession: '1b7c9e24-6d83-4f5a-9c0e-83f2d5a7b614',
  otherMaster: 'c84b1f6e-0d27-4a93-b5e8-3f9a6c1d7e02',
  invitation: 'f3a5d8c1-7e92-4b06-8d4f-2c1b9e7a0536',
  seat: '9c4f2e81-5b07-4d36-a1e8-7f0b3c6d9a25',
  reportLink: 'a06f3d92-5c18-4e7b-b2d4-7c9e1f0a8b63',
  group: '38c5e1f7-9d02-4b6a-8f41-a6e0d7b3c95f',
  word: 'b7d20e94-1c5f-4a38-96e3-8f4a0c7b5d12',
  session: '5d0e6b7a-3f19-4c82-b1d4-96a0c8f7e235',
  phoneSession: 'e94b2c70-8d13-4f6a-b5e9-07c1d3a8f624',
} as const

export const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiIuLi4ifQ.c2lnbmF0dXJl'
export const PASSWORD = 'correct horse battery'
export const ACCOUNT_LINK_TOKEN = 'h7Wc2pLr9QxVb4Tn6Kd1Zs8Mf3Yg5Aj0EuRiOoPqNtE'
export const CALENDAR_TOKEN = 'Qe7Rw2TzU9iOpA4sDf6GhJ1kLyX3cVb8NmZ0aS5dFgH'
export const REPORT_TOKEN = 'Lm4Xc8VbN2aSdF6gHj1KqW9eRt5ZuIoP3yTrEwQaY7U'
export const STREAM_TICKET = 'f3QmZ0yT7cJv1bXn5rWk2A'
export const OAUTH_RESULT = 'Kq3v0yQm1cJt8bXn5rWz2A'
export const MEETING = {
  number: '81234567890',
  uuid: 'aB3xYz9QTkWq1LmN5oPrSg==',
  trashedUuid: 'bC4yZa0RUlXr2MnO6pQsTh==',
} as const
/** The parameters of a recording's play and download addresses. */
export const MEDIA_LINK = { expires: '1795262400', session: ID.session, signature: 'Zm9v' } as const
export const PHONE_MEDIA_LINK = { expires: '1795263000', session: ID.phoneSession, signature: 'YmFy' } as const
export const NOON = '2026-11-20T12:00:00.000Z'
const MORNING = '2026-11-20T06:30:00.000Z'

export const master: z.infer<typeof MasterUser> = {
  id: ID.master,
  email: 'master@parley.example',
  username: 'master',
  full_name: null,
  role: 'master',
}

export const secondFactor: AccountFactors = { totp: true, recovery_codes_left: 9, passkeys: [], is_required: false }
export const passkeyOptions: PasskeyOptions = { challenge: 'k4XyQ0vN', rpId: 'host.localhost' }
export const newPasskeyOptions: NewPasskeyOptions = {
  challenge: 'k4XyQ0vN',
  rp: { id: 'host.localhost', name: 'Parley' },
  user: { id: 'C499DlLyTw-aPHodK2TJ5A', name: 'stmary', displayName: '' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
}
const PASSKEY_ID = 'pYq3zV8w'
const passkeyOf = { id: PASSKEY_ID, rawId: PASSKEY_ID, type: 'public-key' as const }
export const newPasskey: NewPasskeyResponse = {
  ...passkeyOf,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
}
export const CODE = '123456'
export const CHALLENGE = 'c0tq3Jm8XyUf2LkV9sBw5RzEaHpD1nGiO7vTjQxC4M'
export const RECOVERY_CODE = '7K-4F2M9-QX1RT'

export const subscription: z.infer<typeof Subscription> = {
  subscription_type: 12,
  subscription_status: 'active',
  subscription_start_date: '2026-03-01T00:00:00.000Z',
  subscription_end_date: '2027-03-01T00:00:00.000Z',
}
export const EXTENDED_TO = '2028-03-01T00:00:00.000Z'

export const NEXT_MEETING = { starts_at: '2026-12-01T18:30:00.000Z', ends_at: '2026-12-01T20:00:00.000Z' }

export const plannedMeeting: PlannedMeeting = {
  id: ID.plannedMeeting,
  first_day: '2026-12-01',
  last_day: null,
  weekdays: ['TU'],
  time: '19:30',
  minutes: 90,
  time_zone: 'Europe/Berlin',
  updated_at: MORNING,
  next: NEXT_MEETING,
  moved: null,
}

export const soloists: UserGroup = { id: ID.group, name: 'Soloists', colour: 'violet' }

export const host: Host = {
  id: ID.host,
  numerical_id: 1,
  user_id: 'H000001',
  username: 'stmary',
  email: 'choir@stmary.example',
  mobile: '+91 98765 43210',
  full_name: 'Mary Thomas',
  role: 'host',
  is_active: true,
  is_online: true,
  storage_limit_gb: 5,
  storage_used_gb: 0.4,
  recording_enabled: true,
  room_name: "St Mary's choir",
  rooms: [{ name: "St Mary's choir", zoom_meeting_id: MEETING.number }],
  zoom_user_email: 'choir@stmary.example',
  zoom_connected: true,
  zoom_status: 'connected',
  zoom_warnings: [],
  zoom_pmi: null,
  is_live: true,
  unarchived_recordings: 0,
  user_count: 2,
  created_at: '2026-03-01T09:15:00.000Z',
  updated_at: MORNING,
  last_seen: NOON,
  login_time: MORNING,
  last_login_ip: '203.0.113.7',
  ip_address: '203.0.113.7',
  device_id: '9f86d081884c7d65',
  device_model: 'Pixel 9',
  platform: 'android',
  app_version: '1.4.0',
  ...subscription,
  deleted_at: null,
  purge_at: null,
}

/** A host that does not exist yet. */
export const newHost: Host = {
  ...host,
  numerical_id: 2,
  user_id: 'H000002',
  username: 'stjude',
  email: 'choir@stjude.example',
  mobile: '+91 98765 43211',
  room_name: "St Jude's choir",
  rooms: [{ name: "St Jude's choir", zoom_meeting_id: '81234567891' }],
  zoom_user_email: 'choir@stjude.example',
  user_count: 0,
}

export const anita: RoomUser = {
  id: ID.anita,
  user_id: 'U000001',
  username: 'anita',
  reference: 'Soprano',
  group_ids: [ID.group],
  email: null,
  is_online: true,
  asleep: false,
  is_active: true,
  last_seen: NOON,
  login_time: MORNING,
  platform: 'android',
  device_id: '60303ae22b998861',
  device_model: 'Galaxy A16',
  app_version: '1.4.0',
  status: 'Online',
  is_speaking: false,
  speaking_since: null,
  is_muted: true,
  is_pinned: false,
  speaker_on: false,
  wants_to_speak: true,
  wants_to_speak_at: '2026-11-20T11:59:30.000Z',
  asked_to_speak: false,
  audio: 'on',
  microphone: 'usable',
  zoom_code: null,
  spoken_ms: 252_000,
  turns_taken: 2,
  in_meeting: true,
  pending_command: null,
}

/** A user whose new phone waits for the host's approval. */
export const maria = { id: ID.maria, username: 'maria' }

/** A user who gets a sign-in link. */
export const zoya = { id: ID.zoya, username: 'zoya', link_token: 'hT4kPz9QmW2xVb7nRc1sLd6yGf0jAe8uUo3iKq5tXvM' }

export const assistant: Assistant = {
  id: ID.assistant,
  name: 'Deputy',
  role: 'moderator',
  login_name: 'Deputy@stmary',
  is_active: true,
  has_second_factor: false,
  created_at: MORNING,
  last_active_at: NOON,
  invited_until: null,
}

/** A user who was just added and has no phone yet. */
export const ravi: RoomUser = {
  ...anita,
  id: ID.ravi,
  user_id: 'U000002',
  username: 'ravi',
  reference: null,
  group_ids: [],
  is_online: false,
  last_seen: null,
  login_time: null,
  platform: null,
  device_id: null,
  device_model: null,
  app_version: null,
  status: 'Active',
  is_muted: false,
  wants_to_speak: false,
  wants_to_speak_at: null,
  in_meeting: null,
}

const link = (kind: string) => `/api/recordings/media/${ID.recording}?kind=${kind}&${new URLSearchParams(MEDIA_LINK)}`
const file = {
  file_type: 'M4A',
  file_size: 14_680_064,
  play_url: link('play'),
  download_url: link('download'),
}

export const recording: Recording = {
  id: ID.recording,
  file_name: "St Mary's choir 2026-11-20.m4a",
  topic: "St Mary's choir",
  status: 'completed',
  duration: 62,
  created_at: MORNING,
  recording_type: 'audio_only',
  source: 'zoom_cloud',
  archived: false,
  shared_until: null,
  meeting_id: MEETING.number,
  meeting_data: {
    uuid: MEETING.uuid,
    total_size: 14_680_064,
    recording_files: [{ id: ID.recording, recording_type: 'audio_only', status: 'completed', ...file }],
  },
  file_data: file,
}

export const sharedRecording: SharedRecording = {
  ...{ id: recording.id, topic: recording.topic, created_at: recording.created_at, duration: recording.duration },
  shared_until: '2026-11-28T18:30:00.000Z',
  play_url: `/api/mobile/recordings/media/${ID.recording}?kind=listen&${new URLSearchParams(PHONE_MEDIA_LINK)}`,
}

export const transcriptLine: TranscriptLine = {
  start_ms: 754_000,
  end_ms: 758_500,
  speaker: 'Anita',
  text: 'The concert is after the harvest, on the twelfth.',
}

export const phone: {
  user: z.infer<typeof MobileUser>
  room: z.infer<typeof MobileRoom>
  app: z.infer<typeof MobileApp>
} = {
  user: { id: ID.anita, user_id: 'U000001', username: 'anita', reference: 'Soprano', is_host: false },
  room: { room_id: ID.room, room_name: "St Mary's choir", zoom_meeting_id: MEETING.number },
  app: {
    user_title: 'Singer',
    helpline: '+91 98765 43210',
    message: 'Rehearsal at six. Please join muted.',
    logo_url: null,
    allow_recording: true,
  },
}

export const roomWord: StandingWord = {
  id: ID.word,
  user: null,
  text: 'We begin in five minutes',
  rings: true,
  asks: true,
  by: { id: ID.host, name: 'stmary' },
  at: NOON,
  read: 12,
  of: 40,
  well: 9,
  badly: 2,
}

export const phoneWords: PhoneWords = {
  as_of: '7f-4',
  list: [{ id: ID.word, to: 'room', text: roomWord.text, rings: true, asks: true, answer: 'well' }],
}

export const liveState: LiveState = {
  is_muted: true,
  speaker_on: false,
  wants_to_speak: true,
  is_speaking: false,
  host_mute_all_active: true,
  asked_to_speak: false,
  words: { ...phoneWords, list: phoneWords.list.map((word) => ({ ...word, answer: null })) },
}

export const appInfo: AppInfo = {
  user_id: 'H000001',
  password: null,
  has_password: true,
  user_title: 'Singer',
  helpline: '+91 98765 43210',
  message: 'Rehearsal at six. Please join muted.',
  allow_recording: true,
  has_public_card: true,
  logo_url: null,
}

export const room: Room = {
  room_id: ID.room,
  room_name: host.room_name,
  name: host.room_name,
  zoom_meeting_id: MEETING.number,
  password: '483920',
  user_count: 2,
  is_active: true,
  is_live: true,
  recording: 'recording',
  recording_enabled: true,
  zoom_status: 'connected',
  meeting_uuid: MEETING.uuid,
  live_since: '2026-11-20T11:30:00.000Z',
  recording_since: '2026-11-20T11:45:00.000Z',
  recorded_seconds: 600,
  participant_count: 2,
  server_time: NOON,
}

export const seatLease: SeatLease = { seat_id: ID.seat, epoch: 1, expires_at: NOON }
/** Somebody in Zoom's own app. */
export const attendee: Attendee = {
  key: 'D3A1F6C2-7B48-4E90-8C15-2F6E9A0B4D71',
  zoom_user_id: 16778240,
  name: 'Lee',
  customer_key: null,
  audio: 'computer',
  muted: false,
  is_host: false,
  is_co_host: false,
  is_guest: true,
  is_hold: false,
  hand: false,
  is_bot: false,
  is_self: false,
  user_id: null,
  by: null,
  suggestion: null,
  is_allowed: false,
  joined_at: NOON,
}
