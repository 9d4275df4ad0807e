import { z } from 'zod'

/** The limits of the host's plan and web portal. Zoom applies them silently, after a create has answered 201. */
export const AccountSettings = z.object({
  cloud_recording: z.boolean(),
  record_audio_file: z.boolean(),
  recording_audio_transcript: z.boolean(),
  auto_recording: z.enum(['local', 'cloud', 'none']),
  host_pause_stop_recording: z.boolean(),
  require_passcode: z.boolean(),
  disable_participant_video: z.boolean(), // Zoom's support has enabled that meeting setting
  storage_full: z.boolean(),
  locked: z.record(z.string(), z.unknown()), // meeting settings that the portal overrules
})
export type AccountSettings = z.infer<typeof AccountSettings>

export const Account = z.object({
  id: z.string(),
  account_id: z.string(),
  account_number: z.number(),
  email: z.string(),
  display_name: z.string(),
  type: z.union([z.literal(1), z.literal(2)]), // 1 Basic, 2 Licensed
  pmi: z.number().nullable(),
  timezone: z.string(),
  created_at: z.string(),
  installed: z.boolean(), // webhooks are only sent for users who have the app
  settings: AccountSettings.extend({ recording_audio_transcript: z.boolean().default(false) }), // older files lack it
})
export type Account = z.infer<typeof Account>

export const ZoomParticipant = z.object({
  user_id: z.string(),
  participant_uuid: z.string(),
  user_name: z.string(),
  email: z.string(),
  customer_key: z.string(),
  join_time: z.string(),
  participant_user_id: z.string().default(''), // only set for the account's own users
  on_behalf: z.boolean().default(false), // joined with the host's token; removed when the host leaves
  on_hold: z.boolean().default(false), // in the waiting room
})
export type ZoomParticipant = z.infer<typeof ZoomParticipant>

const Segment = z.object({ start: z.string(), end: z.string().nullable() })

export const ZoomSitting = z.object({
  start_time: z.string(),
  host_present: z.boolean(), // the host who started it; a host who joins later is a participant too
  host: ZoomParticipant.nullable().default(null), // that host, if the Meeting SDK started it
  participants: z.array(ZoomParticipant),
  recording: z.enum(['off', 'on', 'paused']),
  segments: z.array(Segment),
})
export type ZoomSitting = z.infer<typeof ZoomSitting>

export const StoredMeeting = z.object({
  id: z.number(),
  uuid: z.string(),
  host_id: z.string(),
  topic: z.string(),
  agenda: z.string(),
  type: z.number(),
  duration: z.number(),
  timezone: z.string(),
  start_time: z.string().nullable(),
  created_at: z.string(),
  password: z.string(),
  encrypted_password: z.string(),
  settings: z.record(z.string(), z.unknown()),
  deleted: z.boolean(),
  sitting: ZoomSitting.nullable(),
})
export type StoredMeeting = z.infer<typeof StoredMeeting>

export const CloudRecordingFile = z.object({
  id: z.string(),
  key: z.string(), // its name in play and download addresses
  audio: z.string(),
  file_type: z.enum(['M4A', 'MP4', 'TRANSCRIPT']),
  recording_type: z.string(),
  recording_start: z.string(),
  recording_end: z.string(),
  file_size: z.number(),
  seconds: z.number().nullable().default(null), // playing time; null: the sample's own, its bytes repeated
  text: z.string().default(''), // of a transcript
  status: z.enum(['processing', 'completed']),
})
export type CloudRecordingFile = z.infer<typeof CloudRecordingFile>

export const SpokenTurn = z.object({ speaker: z.string().min(1), from: z.number().min(0), to: z.number() }) // seconds

export const CloudRecording = z.object({
  uuid: z.string(),
  key: z.string(),
  meeting_id: z.number(),
  host_id: z.string(),
  topic: z.string(),
  type: z.number(),
  timezone: z.string(),
  start_time: z.string(),
  duration: z.number(),
  passcode: z.string(),
  files: z.array(CloudRecordingFile),
  speakers: z.array(z.string()).default([]), // named in the transcript
  spoken: z.array(z.string()).default([]), // sentences of the transcript
  turns: z.array(SpokenTurn).default([]), // of the transcript
  deleted_time: z.string().nullable(),
})
export type CloudRecording = z.infer<typeof CloudRecording>

const AccessToken = z.object({
  token: z.string(),
  user_id: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.number(),
})

/** A rotated token was replaced by a newer one. Zoom sometimes accepts it once more. */
const RefreshToken = AccessToken.extend({ status: z.enum(['active', 'rotated', 'spent']) })

/** A token for the files of one recording, from its details or from a webhook. */
const DownloadToken = z.object({
  token: z.string(),
  kind: z.enum(['api', 'webhook']),
  recording_key: z.string(),
  expires_at: z.number(),
})

export const State = z.object({
  serial: z.number(),
  accounts: z.array(Account),
  meetings: z.array(StoredMeeting),
  recordings: z.array(CloudRecording),
  access_tokens: z.array(AccessToken),
  refresh_tokens: z.array(RefreshToken),
  download_tokens: z.array(DownloadToken),
  writes: z.record(z.string(), z.number()), // meeting creates and updates, by user and UTC day
})
export type State = z.infer<typeof State>
