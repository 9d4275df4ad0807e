import type { ZoomWarning } from '../../../shared/hosts.ts'
import type { ZoomMeeting } from '../../zoom/schemas.ts'

const RECURRING_NO_FIXED_TIME = 3
const TOPIC_LENGTH = 200

/** Zoom has no audio-only meeting: these settings together come closest. */
export function desiredMeeting(room: { name: string; recording_enabled: boolean }) {
  return {
    topic: room.name.slice(0, TOPIC_LENGTH),
    type: RECURRING_NO_FIXED_TIME,
    settings: {
      audio: 'voip',
      host_video: false,
      participant_video: false,
      disable_participant_video: true, // effective only if Zoom has enabled it for the account, which is rare
      mute_upon_entry: true,
      waiting_room: false,
      join_before_host: false,
      auto_recording: room.recording_enabled ? 'cloud' : 'none',
      approval_type: 2, // no registration
      meeting_authentication: false, // guests are not signed in to Zoom
      encryption_type: 'enhanced_encryption', // end-to-end encryption would rule out recording
      email_notification: false,
    },
  }
}

type MeetingSettings = ReturnType<typeof desiredMeeting>
type Setting = keyof MeetingSettings['settings']

/** Settings whose difference matters, with the change to make at Zoom. */
const COMPLAINTS: Partial<Record<Setting, string>> = {
  audio: 'phones may dial in over the telephone network. Set Audio Type to Computer Audio under Settings > Meeting.',
  host_video: 'the host’s camera starts on. Turn off Host video under Settings > Meeting.',
  participant_video: 'cameras start on. Turn off Participants video under Settings > Meeting.',
  mute_upon_entry:
    'users enter with an open microphone. Unlock Mute all participants when they join under Settings > Meeting.',
  waiting_room:
    'users are held in a waiting room. Unlock and turn off Waiting Room under Settings > Meeting > Security.',
  join_before_host:
    'users may enter before the host. Unlock and turn off Allow participants to join before host under Settings > Meeting.',
  meeting_authentication:
    'only users who are signed in to Zoom may enter. Unlock and turn off Require authentication under Settings > Meeting > Security.',
  encryption_type:
    'it is end-to-end encrypted, so it cannot be recorded. Turn that off under Settings > Meeting > Security.',
}

/** Compares the settings, because Zoom silently drops some: a create answers 201 anyway. */
export function meetingWarnings({ settings }: MeetingSettings, got: ZoomMeeting): ZoomWarning[] {
  const warnings = Object.entries(COMPLAINTS)
    .filter(([name]) => isDifferent(name, settings, got))
    .map(([name, complaint]) => ({ code: `room_${name}`, message: `Zoom changed a setting of the room: ${complaint}` }))
  if (isDifferent('auto_recording', settings, got))
    warnings.push({ code: 'room_auto_recording', message: recordingComplaint(settings.auto_recording === 'cloud') })
  if (!got.password)
    warnings.push({
      code: 'room_passcode',
      message: 'Zoom gave the room no passcode. Turn on Meeting Passcode under Settings > Meeting > Security.',
    })
  return warnings
}

function recordingComplaint(wanted: boolean): string {
  return wanted
    ? 'Zoom does not record the room by itself. The host needs a licence, and Cloud recording and Automatic recording must be allowed under Settings > Recording.'
    : 'Zoom records the room although recording is off here. Unlock Automatic recording under Settings > Recording.'
}

/** Avoids needless updates: Zoom allows a hundred a day. */
export function isUpToDate(wanted: MeetingSettings, got: ZoomMeeting): boolean {
  const isKept = (name: string) => name === 'disable_participant_video' || !isDifferent(name, wanted.settings, got)
  return got.topic === wanted.topic && Object.keys(wanted.settings).every(isKept)
}

/** Treats a setting that Zoom leaves out as kept. */
function isDifferent(name: string, wanted: Record<string, unknown>, { settings }: ZoomMeeting): boolean {
  return settings[name] !== undefined && settings[name] !== wanted[name]
}
