/**
 * All scopes that Parley needs, as the master enters them in the app at Zoom, each with the older, wider scope that
 * covers it in older apps. The last two are for events, the others for calls.
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
