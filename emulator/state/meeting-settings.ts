import { z } from 'zod'
import type { Account } from './state.ts'

/** The settings of a create or update. Like Zoom, this silently ignores others. */
export const RequestedSettings = z.object({
  host_video: z.boolean().optional(),
  participant_video: z.boolean().optional(),
  disable_participant_video: z.boolean().optional(),
  audio: z.enum(['both', 'telephony', 'voip', 'thirdParty']).optional(),
  auto_recording: z.enum(['local', 'cloud', 'none']).optional(),
  host_pause_stop_recording: z.boolean().optional(),
  join_before_host: z.boolean().optional(),
  jbh_time: z.union([z.literal(0), z.literal(5), z.literal(10), z.literal(15)]).optional(),
  waiting_room: z.boolean().optional(),
  mute_upon_entry: z.boolean().optional(),
  request_permission_to_unmute_participants: z.boolean().optional(),
  allow_host_control_participant_mute_state: z.boolean().optional(),
  use_pmi: z.boolean().optional(),
  approval_type: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
  meeting_authentication: z.boolean().optional(),
  encryption_type: z.enum(['enhanced_encryption', 'e2ee']).optional(),
  email_notification: z.boolean().optional(),
  alternative_hosts: z.string().optional(),
  focus_mode: z.boolean().optional(),
  private_meeting: z.boolean().optional(),
  watermark: z.boolean().optional(),
  device_testing: z.boolean().optional(),
  internal_meeting: z.boolean().optional(),
  participant_focused_meeting: z.boolean().optional(),
  push_change_to_calendar: z.boolean().optional(),
  show_share_button: z.boolean().optional(),
  breakout_room: z.object({ enable: z.boolean() }).optional(),
  continuous_meeting_chat: z.object({ enable: z.boolean() }).optional(),
})
export type RequestedSettings = z.infer<typeof RequestedSettings>

export const defaultMeetingSettings: Record<string, unknown> = {
  host_video: false,
  participant_video: false,
  disable_participant_video: false,
  audio: 'both',
  auto_recording: 'none',
  join_before_host: false,
  jbh_time: 0,
  waiting_room: false,
  mute_upon_entry: false,
  use_pmi: false,
  approval_type: 2,
  meeting_authentication: false,
  encryption_type: 'enhanced_encryption',
  email_notification: true,
  alternative_hosts: '',
  watermark: false,
  device_testing: false,
  focus_mode: false,
  private_meeting: false,
  internal_meeting: false,
  continuous_meeting_chat: { enable: false },
  request_permission_to_unmute_participants: false,
  allow_host_control_participant_mute_state: false,
}

/** The plan and the portal silently overrule the requested settings. */
export function effectiveSettings(account: Account, before: Record<string, unknown>, requested: RequestedSettings) {
  const kept: Record<string, unknown> = { ...before, ...requested }
  const encrypted = kept.encryption_type === 'e2ee'
  if (kept.auto_recording === 'cloud' && (!isCloudRecordingAllowed(account) || encrypted)) kept.auto_recording = 'none'
  if (!account.settings.disable_participant_video) kept.disable_participant_video = false
  if (kept.waiting_room === true) kept.join_before_host = false
  if (kept.request_permission_to_unmute_participants) kept.allow_host_control_participant_mute_state = false
  kept.breakout_room = { enable: false }
  return { ...kept, ...account.settings.locked }
}

export function isCloudRecordingAllowed(account: Account) {
  return account.type === 2 && account.settings.cloud_recording
}
