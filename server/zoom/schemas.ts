import { z } from 'zod'

// Deliberately loose: unknown keys are dropped, few are required, and a number may come as text.

export const Id = z.union([z.string().min(1), z.number()]).transform(String)
const Text = z.string().nullish()
const Flag = z.boolean().optional().catch(undefined)

export const ZoomUser = z.object({
  id: z.string().min(1),
  account_id: z.string().min(1),
  email: z.string().min(1),
  type: z.coerce.number(), // 1 Basic, 2 Licensed, 4 unassigned, 99 none
  pmi: Id.nullish().catch(undefined),
  display_name: Text,
  first_name: Text,
  last_name: Text,
})
export type ZoomUser = z.infer<typeof ZoomUser>

/** The settings of a user that decide if its rooms can be recorded. */
export const ZoomUserSettings = z.object({
  recording: z.object({ cloud_recording: Flag, record_audio_file: Flag }).default({}).catch({}),
})
export type ZoomUserSettings = z.infer<typeof ZoomUserSettings>

export const ZoomMeeting = z.object({
  id: Id,
  uuid: Text, // of the running sitting, or of the next one
  status: Text, // waiting or started
  topic: z.string().default(''),
  password: Text,
  join_url: z
    .url({ protocol: /^https?$/ })
    .nullish()
    .catch(undefined), // contains the passcode: never logged
  settings: z.record(z.string(), z.unknown()).default({}),
})
export type ZoomMeeting = z.infer<typeof ZoomMeeting>

/** The link starts the meeting as its host, for two hours: never stored, never logged. */
export const ZoomStartLink = z.object({
  start_url: z.url({ protocol: /^https?$/ }),
  status: Text, // waiting or started
})
export type ZoomStartLink = z.infer<typeof ZoomStartLink>

export const ZoomRecordingFile = z.object({
  id: Text,
  file_type: Text,
  file_size: z.coerce.number().nonnegative().nullish().catch(undefined),
  recording_type: Text,
  recording_start: Text,
  recording_end: Text, // "" while it is running
  status: Text,
  download_url: Text,
})
export type ZoomRecordingFile = z.infer<typeof ZoomRecordingFile>

/** A sitting of a meeting with its files, from a list, a single read or a webhook. */
export const ZoomRecording = z.object({
  uuid: z.string().min(1),
  id: Id,
  topic: z.string().nullish(),
  start_time: z.string(),
  duration: z.coerce.number().nonnegative().catch(0), // minutes
  total_size: z.coerce.number().nonnegative().catch(0),
  recording_files: z.array(ZoomRecordingFile).default([]),
})
export type ZoomRecording = z.infer<typeof ZoomRecording>

/** Drops an invalid recording, so that it does not hide the others. */
export const ZoomRecordingList = z.object({
  from: Text, // the first day that Zoom has searched, which may be later than requested
  to: Text,
  next_page_token: z.string().nullish(),
  meetings: z
    .array(ZoomRecording.nullable().catch(null))
    .default([])
    .transform((meetings) => meetings.filter((meeting) => meeting !== null)),
})
export type ZoomRecordingList = z.infer<typeof ZoomRecordingList>

export const ZoomTokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(3600), // seconds
  scope: z.string().default(''),
})

/** A token of the app itself, which has no refresh token. */
export const ZoomAppToken = z.object({ access_token: z.string().min(1) })

/** A ZAK or an OBF token: each admits its holder to a meeting. */
export const ZoomJoinToken = z.object({ token: z.string().min(1) })

export function parseTime(text: string | null | undefined): Date | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms)
}
