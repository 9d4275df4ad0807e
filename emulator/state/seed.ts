import { newUuid, randomId, stableId, stableNumber } from './identifiers.ts'
import { defaultMeetingSettings } from './meeting-settings.ts'
import type { Account, AccountSettings, State, StoredMeeting } from './state.ts'
import { zoomTime } from './times.ts'

export type SeedAccount = {
  email: string
  display_name: string
  account_id?: string | undefined // default: a separate account
  type?: 1 | 2
  pmi?: number | null
  timezone?: string
  settings?: Partial<AccountSettings>
}

export const demoAccounts: SeedAccount[] = [
  { email: 'ana@studycircle.example', display_name: 'Ana Lima' },
  { email: 'ravi@tradingroom.example', display_name: 'Ravi Menon' },
  { email: 'grace@eveningprayer.example', display_name: 'Grace Obi' },
  { email: 'tom@openclass.example', display_name: 'Tom Keller' },
  { email: 'basic@freeplan.example', display_name: 'Bea Marsh', type: 1 },
]

/** Default settings by plan. */
const settingsOf = (type: 1 | 2): AccountSettings => ({
  cloud_recording: type === 2,
  record_audio_file: type === 2,
  recording_audio_transcript: false, // as in a new account
  auto_recording: 'none',
  host_pause_stop_recording: true,
  require_passcode: true,
  disable_participant_video: false,
  storage_full: false,
  locked: {},
})

export function addAccount(state: State, seed: SeedAccount, now: number) {
  const account = newAccount(seed, now)
  state.accounts.push(account)
  if (account.pmi !== null) state.meetings.push(personalMeeting(state, account, account.pmi))
  return account
}

/** Derives ids from the e-mail, so an account stays the same after a reset. */
export function newAccount(seed: SeedAccount, now: number): Account {
  const key = seed.email.toLowerCase()
  return {
    id: stableId(`user ${key}`),
    account_id: seed.account_id ?? stableId(`account ${key}`),
    account_number: stableNumber(`account ${key}`, 8),
    email: seed.email,
    display_name: seed.display_name,
    type: seed.type ?? 2,
    pmi: seed.pmi === undefined ? stableNumber(`pmi ${key}`, 10) : seed.pmi,
    timezone: seed.timezone ?? 'UTC',
    created_at: zoomTime(now),
    installed: false,
    settings: { ...settingsOf(seed.type ?? 2), ...seed.settings },
  }
}

/** A new plan resets the settings to its defaults; omitted fields are unchanged. */
export function changeAccount(state: State, account: Account, change: Partial<SeedAccount>) {
  const { settings, pmi, email: _, ...fields } = change
  Object.assign(account, fields)
  if (fields.type !== undefined) account.settings = settingsOf(fields.type)
  Object.assign(account.settings, settings)
  if (pmi === undefined) return
  account.pmi = pmi
  state.meetings = state.meetings.filter((meeting) => meeting.host_id !== account.id || meeting.type !== 4)
  if (pmi !== null) state.meetings.push(personalMeeting(state, account, pmi))
}

export function seedState(seeds: SeedAccount[], now: number): State {
  const state: State = {
    serial: 0,
    accounts: [],
    meetings: [],
    recordings: [],
    access_tokens: [],
    refresh_tokens: [],
    download_tokens: [],
    writes: {},
  }
  for (const seed of seeds) addAccount(state, seed, now)
  return state
}

function personalMeeting(state: State, account: Account, pmi: number): StoredMeeting {
  return {
    id: pmi,
    uuid: newUuid(++state.serial),
    host_id: account.id,
    topic: `${account.display_name}'s Personal Meeting Room`,
    agenda: '',
    type: 4,
    duration: 60,
    timezone: account.timezone,
    start_time: null,
    created_at: account.created_at,
    password: String(stableNumber(`passcode ${account.id}`, 6)),
    encrypted_password: randomId(24),
    settings: { ...defaultMeetingSettings, use_pmi: true },
    deleted: false,
    sitting: null,
  }
}
