/**
 * All that Parley may do at Zoom, as the master enters it in the app at Zoom, and the older, wider scope that covers each
 * in an app that still has those. The last two are for events; each other one is for a call.
 */
export const ZOOM_SCOPES = [
  { scope: 'user:read:user', classic: 'user:read' },
  { scope: 'user:read:settings', classic: 'user:read' },
  { scope: 'user:read:token', classic: 'user:read' },
  { scope: 'meeting:write:meeting', classic: 'meeting:write' },
  { scope: 'meeting:read:meeting', classic: 'meeting:read' },
  { scope: 'meeting:update:meeting', classic: 'meeting:write' },
  { scope: 'meeting:update:status', classic: 'meeting:write' },
  { scope: 'meeting:delete:meeting', classic: 'meeting:write' },
  { scope: 'meeting:update:in_meeting_controls', classic: 'meeting:write' },
  { scope: 'cloud_recording:read:list_user_recordings', classic: 'recording:read' },
  { scope: 'cloud_recording:read:list_recording_files', classic: 'recording:read' },
  { scope: 'cloud_recording:delete:meeting_recording', classic: 'recording:write' },
  { scope: 'cloud_recording:update:recover_meeting_recordings', classic: 'recording:write' },
  { scope: 'meeting:read:participant', classic: 'meeting:read' },
  { scope: 'cloud_recording:read:recording', classic: 'recording:read' },
] as const

export type ZoomScope = (typeof ZOOM_SCOPES)[number]['scope']
