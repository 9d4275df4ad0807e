import type { AppVersions } from '../../../shared/dashboard.ts'
import type { Host } from '../../../shared/hosts.ts'
import { subscriptionDisplay } from '../../widgets/subscription/subscription-display.ts'

export type GoLiveCheck = {
  tone: 'good' | 'warn' | 'bad'
  title: string
  /** The remedy, or a detail worth knowing; may be empty. */
  advice: string
  /** The page that offers the remedy. */
  link?: { to: string; label: string }
}

/** Below this share of free storage, the next long meetings may not fit. */
const LITTLE_LEFT = 0.1
const RECORDING_WARNINGS = ['basic_plan', 'cloud_recording_off', 'no_audio_files']
const ASK = 'Ask your administrator'

/** Checks a room before a meeting begins. */
export function goLiveChecks(host: Host, versions: AppVersions, users: number, now: number): GoLiveCheck[] {
  return [
    roomCheck(host),
    zoomCheck(host),
    recordingCheck(host),
    storageCheck(host),
    subscriptionCheck(host, now),
    phonesCheck(versions, users),
  ]
}

function roomCheck({ is_active }: Host): GoLiveCheck {
  if (is_active) return { tone: 'good', title: 'The room is open', advice: 'Phones may sign in.' }
  return {
    tone: 'bad',
    title: 'The room is stopped',
    advice: 'No phone can sign in. Activate it (A) on Host Master.',
    link: { to: '/host/host-master', label: 'Host Master' },
  }
}

function zoomCheck({ zoom_status, zoom_user_email, zoom_warnings }: Host): GoLiveCheck {
  if (zoom_status === 'not_connected')
    return { tone: 'bad', title: 'Zoom is not connected', advice: `${ASK} to connect your Zoom account.` }
  if (zoom_status === 'reconnect_needed')
    return {
      tone: 'bad',
      title: 'Zoom has to be connected again',
      advice: `Zoom no longer accepts the connection. ${ASK} to connect your account again.`,
    }
  const others = zoom_warnings.filter(({ code }) => !RECORDING_WARNINGS.includes(code))
  const advice = others.map(({ message }) => message).join(' ')
  if (advice) return { tone: 'warn', title: 'Zoom is connected, and needs a look', advice }
  return { tone: 'good', title: 'Zoom is connected', advice: zoom_user_email ?? '' }
}

function recordingCheck({ recording_enabled, zoom_status, zoom_warnings }: Host): GoLiveCheck {
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

function storageCheck({ storage_limit_gb, storage_used_gb, zoom_warnings }: Host): GoLiveCheck {
  const left = Math.max(0, storage_limit_gb - storage_used_gb)
  const link = { to: '/host/recordings', label: 'Cloud Recordings' }
  const room = `${gb(left)} of ${gb(storage_limit_gb)} GB left`
  const isFull = left === 0 || zoom_warnings.some(({ code }) => code === 'archive_full')
  if (isFull)
    return {
      tone: 'bad',
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

function subscriptionCheck(host: Host, now: number): GoLiveCheck {
  const display = subscriptionDisplay(host, now)
  if (!display || display.tone === 'bad')
    return {
      tone: 'bad',
      title: display ? `The subscription is ${display.status.toLowerCase()}` : 'No active subscription',
      advice: `Phones cannot sign in. ${ASK} to extend it.`,
    }
  const title = ['Subscription', display.remaining?.toLowerCase() ?? 'active'].join(': ')
  if (display.warns) return { tone: 'warn', title, advice: `After that no phone can sign in. ${ASK} to extend it.` }
  return { tone: 'good', title, advice: '' }
}

function phonesCheck({ newest, older }: AppVersions, users: number): GoLiveCheck {
  if (users === 0)
    return {
      tone: 'warn',
      title: 'No users yet',
      advice: 'Add your first user on Users Master.',
      link: { to: '/host/users', label: 'Users Master' },
    }
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
