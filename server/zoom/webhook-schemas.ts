import { z } from 'zod'
import { Id, ZoomRecording } from './schemas.ts'

// Deliberately loose. A meeting's number is text in some events and a number in others; unused keys are dropped,
// including the names and addresses of people.

const Text = z.string().nullish().catch(undefined)
/** The largest value that is a date. */
const LAST_MS = 8.64e15
/** Zoom's ids have some twenty characters. They are indexed, and index rows have a size limit. */
const MAX_ID = 200
const Milliseconds = z.coerce.number().positive().optional().catch(undefined).pipe(z.number().max(LAST_MS).optional())
const OwnerId = z.string().optional().catch(undefined).pipe(z.string().max(MAX_ID).optional())

export const ZoomWebhook = z.object({
  event: z.string(),
  event_ts: Milliseconds,
  payload: z.looseObject({
    account_id: OwnerId,
    user_id: OwnerId, // only in `app_deauthorized`
    event_ts: Milliseconds, // likewise
    plainToken: z.string().optional(),
    object: z.unknown().optional(),
  }),
})
export type ZoomWebhook = z.infer<typeof ZoomWebhook>

/** Returns null for an invalid event. Names may contain NUL, which PostgreSQL refuses in text. */
export function parseWebhook(text: string): ZoomWebhook | null {
  try {
    const json: unknown = JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' ? value.replaceAll('\0', '') : value,
    )
    return ZoomWebhook.parse(json)
  } catch {
    return null
  }
}

export const HostObject = z.object({ host_id: z.string().max(MAX_ID) })

export const MeetingEvent = HostObject.extend({ id: Id, uuid: z.string().min(1), start_time: Text })
export type MeetingEvent = z.infer<typeof MeetingEvent>

export const ParticipantEvent = MeetingEvent.extend({
  participant: z.object({
    customer_key: Text,
    participant_uuid: Text,
    user_id: Id.nullish().catch(undefined), // a number within the sitting
    participant_user_id: Text, // the Zoom user, if it belongs to the host's own account
    id: Text, // the same, under an older name
  }),
})
export type ParticipantEvent = z.infer<typeof ParticipantEvent>

export const RecordingFilesEvent = ZoomRecording.extend(HostObject.shape)
export type RecordingFilesEvent = z.infer<typeof RecordingFilesEvent>

export const TrashedBatch = z.object({ meeting_uuids: z.array(z.string()) })

/** Missing file ids mean all files of the sitting. */
export const FilesBatch = z.object({
  meetings: z.array(z.object({ meeting_uuid: z.string(), recording_file_ids: z.array(z.string()).nullish() })),
})

/**
 * Zoom's example keeps the old topic in `object` and the new one in `recording_file`; its schema knows only `object`.
 */
export const TopicUpdated = z.object({
  object: HostObject.extend({ uuid: z.string().min(1), topic: Text }),
  recording_file: z.object({ topic: Text }).optional().catch(undefined),
})

export const StorageUsage = z.object({ storage_used_percentage: z.coerce.number().nonnegative() })

export const Deauthorized = z.object({
  account_id: z.string().min(1),
  user_id: z.string().min(1),
  client_id: z.string(),
  user_data_retention: z.union([z.string(), z.boolean()]).transform(String).nullish().catch(undefined),
})
