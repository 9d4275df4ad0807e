import { describe, expect, test } from 'vitest'
import type { AppVersions } from '../../../shared/dashboard.ts'
import type { Host } from '../../../shared/hosts.ts'
import { listedHost } from '../../../test/factories/listed.ts'
import { type GoLiveFacts, goLiveChecks } from './go-live-checks.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const connected = {
  zoom_status: 'connected',
  zoom_connected: true,
  zoom_user_email: 'asha@zoom.example',
  rooms: [{ name: 'ROOM-1', zoom_meeting_id: '81234567890' }],
  user_count: 3,
} satisfies Partial<Host>
const UP_TO_DATE = { newest: '2.4.1', older: 0 }
const warning = (code: string) => ({ zoom_warnings: [{ code, message: `Change ${code} at Zoom.` }] })

/** The subscription of `listedHost` lasts until February. */
const check = (given: Partial<Host> = {}, facts: Partial<Omit<GoLiveFacts, 'host'>> = {}) =>
  goLiveChecks(
    { host: listedHost({ ...connected, ...given }), versions: UP_TO_DATE, meeting: null, zoom_fault: null, ...facts },
    NOW,
  )
const tones = (given?: Partial<Host>) => check(given).map(({ tone }) => tone)
const ROOM = 0
const ZOOM = 1
const RECORDING = 2
const STORAGE = 3
const SUBSCRIPTION = 4
const PHONES = 5

describe('before a meeting', () => {
  test('everything may be well', () => {
    expect(tones()).toEqual(['good', 'good', 'good', 'good', 'good', 'good'])
  })

  test.each<[string, Partial<Host>, AppVersions, number, 'warn' | 'bad', RegExp]>([
    ['the room is stopped', { is_active: false }, UP_TO_DATE, ROOM, 'bad', /Host Master/],
    ['Zoom is missing', { zoom_status: 'not_connected' }, UP_TO_DATE, ZOOM, 'bad', /Ask your administrator/],
    ['Zoom is refused', { zoom_status: 'reconnect_needed' }, UP_TO_DATE, ZOOM, 'bad', /again/],
    [
      'the room has no meeting',
      { rooms: [{ name: 'R', zoom_meeting_id: null }] },
      UP_TO_DATE,
      ZOOM,
      'bad',
      /Start meeting/,
    ],
    ['scopes are missing', warning('scopes_missing'), UP_TO_DATE, ZOOM, 'warn', /Change scopes_missing at Zoom/],
    ['recording is off', { recording_enabled: false }, UP_TO_DATE, RECORDING, 'warn', /turn it on/],
    [
      'Zoom does not record',
      warning('cloud_recording_off'),
      UP_TO_DATE,
      RECORDING,
      'warn',
      /Change cloud_recording_off/,
    ],
    ['little storage is left', { storage_used_gb: 4.6 }, UP_TO_DATE, STORAGE, 'warn', /Delete old recordings/],
    ['no storage is left', { storage_used_gb: 5.1 }, UP_TO_DATE, STORAGE, 'warn', /no longer archived/],
    ['recordings wait for room', warning('archive_full'), UP_TO_DATE, STORAGE, 'warn', /no longer archived/],
    ['it runs out', { subscription_end_date: '2026-11-25T12:00:00Z' }, UP_TO_DATE, SUBSCRIPTION, 'warn', /extend/],
    ['it has run out', { subscription_status: 'expired' }, UP_TO_DATE, SUBSCRIPTION, 'bad', /Phones cannot sign in/],
    [
      'there is none',
      { subscription_type: null, subscription_status: 'none' },
      UP_TO_DATE,
      SUBSCRIPTION,
      'bad',
      /extend/,
    ],
    ['phones are old', {}, { newest: '2.4.1', older: 3 }, PHONES, 'warn', /2\.4\.1.*update/],
    ['no one came yet', {}, { newest: null, older: 0 }, PHONES, 'warn', /Copy credentials on Users Master/],
  ])('%s, and the advice says what to do', (_, given, versions, place, tone, advice) => {
    expect(check(given, { versions })[place]).toMatchObject({ tone, advice: expect.stringMatching(advice) })
  })

  test.each([
    [0, null, 'No users yet', '/host/users'],
    [3, null, 'No phone has signed in yet', '/host/users?show=never-signed-in'],
    [3, '2.4.1', '2 phones have an older app', '/host/users?show=older-app'],
  ])('with %i users and the app %s, the phones line leads to those users', (users, newest, title, to) => {
    const versions = { newest, older: newest ? 2 : 0 }
    expect(check({ user_count: users }, { versions })[PHONES]).toMatchObject({ title, link: { to } })
  })

  test('a problem with recording is not listed twice', () => {
    expect(tones(warning('basic_plan'))[ZOOM]).toBe('good')
  })

  test.each([
    ['unanswered', 'Zoom does not answer'],
    ['refused', 'Zoom refuses access to your room’s meeting'],
  ] as const)('Zoom that was asked, and %s, is in the way', (zoom_fault, title) => {
    expect(check({}, { zoom_fault })[ZOOM]).toMatchObject({ tone: 'bad', title })
    const lost = check({ zoom_status: 'reconnect_needed' }, { zoom_fault })
    expect(lost[ZOOM]).toMatchObject({ title: 'Zoom has to be connected again' })
  })

  test('the subscription has to last until the end of the planned meeting', () => {
    const end = { subscription_end_date: '2026-12-01T20:00:00.000Z' }
    const until = (ends_at: string) => check(end, { meeting: { ends_at } })[SUBSCRIPTION]
    expect(until('2026-12-01T20:00:00.000Z')).toMatchObject({ tone: 'good' })
    expect(until('2026-12-01T20:00:00.001Z')).toMatchObject({
      tone: 'bad',
      title: 'The subscription ends before the next planned meeting does',
    })
  })

  test('a meeting that is planned needs users; without the versions of phones nothing is said of them', () => {
    const meeting = { ends_at: '2026-12-01T20:00:00.000Z' }
    expect(check({ user_count: 0 }, { meeting, versions: null })[PHONES]).toMatchObject({ tone: 'bad' })
    expect(check({}, { meeting, versions: null })[PHONES]).toMatchObject({ tone: 'good' })
  })
})
