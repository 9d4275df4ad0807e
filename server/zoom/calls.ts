import { z } from 'zod'
import type { RecordingAction } from '../../shared/rooms.ts'
import { meetingPath, type ZoomCall } from './client.ts'
import {
  ZoomJoinToken,
  ZoomMeeting,
  ZoomRecording,
  ZoomRecordingList,
  ZoomStartLink,
  ZoomUser,
  ZoomUserSettings,
} from './schemas.ts'

// A user-level app always uses `me`.

const Nothing = z.unknown()

export const readUser: ZoomCall<ZoomUser> = {
  operation: 'read_user',
  method: 'GET',
  path: '/users/me',
  reply: ZoomUser,
}

export const readUserSettings: ZoomCall<ZoomUserSettings> = {
  operation: 'read_user_settings',
  method: 'GET',
  path: '/users/me/settings',
  label: 'Medium',
  reply: ZoomUserSettings,
}

export const createMeeting = (meeting: object): ZoomCall<ZoomMeeting> => ({
  operation: 'create_meeting',
  method: 'POST',
  path: '/users/me/meetings',
  isMeetingWrite: true,
  body: meeting,
  reply: ZoomMeeting,
})

export const readMeeting = (id: string): ZoomCall<ZoomMeeting> => ({
  operation: 'read_meeting',
  method: 'GET',
  path: `/meetings/${meetingPath(id)}`,
  reply: ZoomMeeting,
})

export const readStartLink = (id: string): ZoomCall<ZoomStartLink> => ({
  operation: 'read_start_link',
  method: 'GET',
  path: `/meetings/${meetingPath(id)}`,
  reply: ZoomStartLink,
})

/** Ends the running meeting. */
export const endMeeting = (id: string): ZoomCall<unknown> => ({
  operation: 'end_meeting',
  method: 'PUT',
  path: `/meetings/${meetingPath(id)}/status`,
  body: { action: 'end' },
  reply: Nothing,
})

export const updateMeeting = (id: string, changes: object): ZoomCall<unknown> => ({
  operation: 'update_meeting',
  method: 'PATCH',
  path: `/meetings/${meetingPath(id)}`,
  isMeetingWrite: true,
  body: changes,
  reply: Nothing,
})

export const deleteMeeting = (id: string): ZoomCall<unknown> => ({
  operation: 'delete_meeting',
  method: 'DELETE',
  path: `/meetings/${meetingPath(id)}`,
  reply: Nothing,
})

/** `from` and `to` are days; `page` is the previous page's token, whose other parameters must stay the same. */
export const listRecordings = (from: string, to: string, page: string | null): ZoomCall<ZoomRecordingList> => ({
  operation: 'list_recordings',
  method: 'GET',
  path: '/users/me/recordings',
  label: 'Medium',
  query: { from, to, page_size: '300', ...(page && { next_page_token: page }) },
  reply: ZoomRecordingList,
})

/** Reads by UUID, because a meeting's number would mean its latest sitting. */
export const readRecording = (uuid: string): ZoomCall<ZoomRecording> => ({
  operation: 'read_recording',
  method: 'GET',
  path: `/meetings/${meetingPath(uuid)}/recordings`,
  reply: ZoomRecording,
})

export const trashRecording = (uuid: string): ZoomCall<unknown> => ({
  operation: 'trash_recording',
  method: 'DELETE',
  path: `/meetings/${meetingPath(uuid)}/recordings`,
  query: { action: 'trash' },
  reply: Nothing,
})

/** Restores a recording from the trash, where Zoom keeps it for 30 days. */
export const recoverRecording = (uuid: string): ZoomCall<unknown> => ({
  operation: 'recover_recording',
  method: 'PUT',
  path: `/meetings/${meetingPath(uuid)}/recordings/status`,
  body: { action: 'recover' },
  reply: Nothing,
})

type JoinToken = { token: string }

/** Lets the holder start and lead the meeting as the host: only for the host's own phone. */
export const readZak = (seconds: number): ZoomCall<JoinToken> => ({
  operation: 'read_zak',
  method: 'GET',
  path: '/users/me/token',
  query: { type: 'zak', ttl: String(seconds) },
  reply: ZoomJoinToken,
})

/** Admits one guest, once, while the host is in the meeting. */
export const readOnBehalfToken = (meetingId: string, seconds: number): ZoomCall<JoinToken> => ({
  operation: 'read_on_behalf_token',
  method: 'GET',
  path: '/users/me/token',
  query: { type: 'onbehalf', meeting_id: meetingId, ttl: String(seconds) },
  reply: ZoomJoinToken,
})

/** Controls the recording of the running meeting. Zoom answers 202 and applies it a little later. */
export const controlCloudRecording = (id: string, action: RecordingAction): ZoomCall<unknown> => ({
  operation: 'control_cloud_recording',
  method: 'PATCH',
  path: `/live_meetings/${meetingPath(id)}/events`,
  label: 'Medium',
  body: { method: `recording.${action}` },
  reply: Nothing,
})
