import type { AppVersions } from '../../../shared/dashboard.ts'
import { type GoLiveCheck, GoLiveSubject } from '../../../shared/go-live.ts'
import type { Host } from '../../../shared/hosts.ts'
import { subscriptionDisplay } from '../../../shared/subscription-display.ts'
import type { ZoomSilence } from './ask-zoom.ts'

export interface GoLiveFacts {
  host: Host
  /** Null where they are not known; then no phone is called old. */
  versions: AppVersions | null
  /** The planned meeting that is next, if there is one. */
  meeting: { ends_at: string } | null
  /** Null if Zoom answered when it was last asked, or was not asked. */
  zoom_fault: ZoomSilence | null
}

type Outcome = Omit<GoLiveCheck, 'subject'>

/** Below this share of free storage, the next long meetings may not fit. */
const LITTLE_LEFT = 0.1
const RECORDING_WARNINGS = ['basic_plan', 'cloud_recording_off', 'no_audio_files']
const ASK = 'Ask your administrator'
const SUBJECTS = GoLiveSubject.options

/** Checks what a meeting needs. The dashboard and the check before a planned meeting show the same. */
export function goLiveChecks(facts: GoLiveFacts, now: number): GoLiveCheck[] {
  const outcomes: Record<GoLiveSubject, Outcome> = {
    room: roomCheck(facts.host),
    zoom: zoomCheck(facts),
    recording: recordingCheck(facts.host),
    storage: storageCheck(facts.host),
    subscription: subscriptionCheck(facts, now),
    phones: phonesCheck(facts),
  }
  return SUBJECTS.map((subject) => ({ subject, ...outcomes[subject] }))
}

function roomCheck({ is_active }: Host): Outcome {
  if (is_active) return { tone: 'good', title: 'The room is open', advice: 'Phones may sign in.' }
  return {
    tone: 'bad',
    title: 'The room is stopped',
    advice: 'No phone can sign in. Activate it (A) on Host Master.',
    link: { to: '/host/host-master', label: 'Host Master' },
  }
}

function zoomCheck({ host: { zoom_status, zoom_user_email, zoom_warnings, rooms }, zoom_fault }: GoLiveFacts): Outcome {
  if (zoom_status === 'not_connected')
    return { tone: 'bad', title: 'Zoom is not connected', advice: `${ASK} to connect your Zoom account.` }
  if (zoom_status === 'reconnect_needed')
    return {
      tone: 'bad',
      title: 'Zoom has to be connected again',
      advice: `Zoom no longer accepts the connection. ${ASK} to connect your account again.`,
    }
  if (zoom_fault === 'unanswered')
    return {
      tone: 'bad',
      title: 'Zoom does not answer',
      advice: 'It is asked again every minute until the meeting begins.',
    }
  if (zoom_fault === 'refused')
    return {
      tone: 'bad',
      title: 'Zoom refuses access to your room’s meeting',
      advice: `${ASK} to look at the connection to Zoom.`,
    }
  if (rooms.every(({ zoom_meeting_id }) => zoom_meeting_id === null))
    return {
      tone: 'bad',
      title: 'Your room has no meeting at Zoom yet',
      advice: 'It could not be made. It is tried again when you press Start meeting.',
    }
  const others = zoom_warnings.filter(({ code }) => !RECORDING_WARNINGS.includes(code))
  const advice = others.map(({ message }) => message).join(' ')
  if (advice) return { tone: 'warn', title: 'Zoom is connected, and needs a look', advice }
  return { tone: 'good', title: 'Zoom is connected', advice: zoom_user_email ?? '' }
}

function recordingCheck({ recording_enabled, zoom_status, zoom_warnings }: Host): Outcome {
  const title = 'Meetings are not recorded'
  if (!recording_enabled)
    return { tone: 'warn', title, advice: `Recording is switched off for your room. ${ASK} to turn it on.` }
  if (zoom_status !== 'connected') return { tone: 'warn', title, advice: 'Recording needs the connection to Zoom.' }
  const advice = zoom_warnings
    .filter(({ code }) => RECORDING_WARNINGS.includes(code))
    .map(({ message }) => message)
    .join(' ')
  if (advice) return { tone: 'warn', title: 'Recording needs a look at Zoom', advice }
  return { tone: 'good', title: 'Meetings can be recorded', advice: 'By Zoom, to its cloud.' }
}

function storageCheck({ storage_limit_gb, storage_used_gb, zoom_warnings }: Host): Outcome {
  const left = Math.max(0, storage_limit_gb - storage_used_gb)
  const link = { to: '/host/recordings', label: 'Cloud Recordings' }
  const room = `${gb(left)} of ${gb(storage_limit_gb)} GB left`
  const isFull = left === 0 || zoom_warnings.some(({ code }) => code === 'archive_full')
  if (isFull)
    return {
      tone: 'warn', // the meeting can be held
      title: 'The storage is full',
      advice: `New recordings are no longer archived, and stay at Zoom only. Delete old ones, or ask your administrator for more.`,
      link,
    }
  if (left < storage_limit_gb * LITTLE_LEFT)
    return { tone: 'warn', title: room, advice: 'Delete old recordings, or ask your administrator for more.', link }
  return { tone: 'good', title: room, advice: 'For the archive of your recordings.' }
}

function gb(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function subscriptionCheck({ host, meeting }: GoLiveFacts, now: number): Outcome {
  const display = subscriptionDisplay(host, now)
  if (!display || display.tone === 'bad')
    return {
      tone: 'bad',
      title: display ? `The subscription is ${display.status.toLowerCase()}` : 'No active subscription',
      advice: `Phones cannot sign in. ${ASK} to extend it.`,
    }
  const end = host.subscription_end_date
  if (meeting && end && Date.parse(end) < Date.parse(meeting.ends_at))
    return {
      tone: 'bad',
      title: 'The subscription ends before the next planned meeting does',
      advice: `After its end no phone can sign in. ${ASK} to extend it.`,
    }
  const title = ['Subscription', display.remaining?.toLowerCase() ?? 'active'].join(': ')
  if (display.warns) return { tone: 'warn', title, advice: `After that no phone can sign in. ${ASK} to extend it.` }
  return { tone: 'good', title, advice: '' }
}

function phonesCheck({ host, versions, meeting }: GoLiveFacts): Outcome {
  if (host.user_count === 0)
    return {
      tone: meeting ? 'bad' : 'warn',
      title: 'No users yet',
      advice: 'Add your first user on Users Master.',
      link: { to: '/host/users', label: 'Users Master' },
    }
  if (!versions) return { tone: 'good', title: 'There are users', advice: '' }
  const { newest, older } = versions
  if (newest === null)
    return {
      tone: 'warn',
      title: 'No phone has signed in yet',
      advice: 'Send users their sign-in details: use Copy credentials on Users Master.',
      link: { to: '/host/users?show=never-signed-in', label: 'Users Master' },
    }
  if (older === 0) return { tone: 'good', title: 'All phones have the same app', advice: `Version ${newest}.` }
  return {
    tone: 'warn',
    title: older === 1 ? '1 phone has an older app' : `${older} phones have an older app`,
    advice: `The newest in your room is ${newest}. Ask their users to update it; Users Master shows who.`,
    link: { to: '/host/users?show=older-app', label: 'Users Master' },
  }
}
