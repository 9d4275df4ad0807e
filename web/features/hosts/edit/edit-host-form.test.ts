import { describe, expect, test } from 'vitest'
import { EditHost } from '../../../../shared/hosts.ts'
import { listedHost } from '../../../../test/factories/listed.ts'
import {
  type EditHostValues,
  earliestDay,
  editBody,
  editedSubscription,
  mergeRemoteChanges,
  valuesOf,
  zoomEmailFault,
} from './edit-host-form.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const host = listedHost({ subscription_end_date: '2027-02-21T12:00:00.000Z', mobile: '111', zoom_user_email: 'z@b.co' })
const body = (given: Partial<EditHostValues>, zoom: Parameters<typeof editBody>[2] = { kind: 'kept' }) =>
  editBody({ ...valuesOf(host), ...given }, host, zoom, NOW)

test('sends what was shown as `expect`, and what the form changes, and passes validation', () => {
  const expected = { expect: { updated_at: host.updated_at } }
  expect(body({})).toEqual(expected)
  const changes = {
    username: 'bela',
    email: 'bela@example.com',
    mobile: '222',
    storage_limit_gb: 10,
    room_name: 'Choir',
    recording_enabled: false,
  }
  expect(body(changes)).toEqual({ ...changes, ...expected })
  expect(EditHost.safeParse(body({ password: 'secret-1' })).success).toBe(true)
})

test('a room name from before the rules for names does not hold up other changes', () => {
  const old = listedHost({ room_name: 'Ch\u200doir' })
  const edit = (given: Partial<EditHostValues>) =>
    EditHost.safeParse(editBody({ ...valuesOf(old), ...given }, old, { kind: 'kept' }, NOW)).success
  expect(edit({ email: 'asha@example.org' })).toBe(true)
  expect(edit({ room_name: 'Ch\u200doirs' })).toBe(false)
})

test('a blank password is not sent, a blank mobile removes it', () => {
  expect(body({ mobile: ' ' })).toMatchObject({ mobile: null })
  expect(body({ password: '' })).not.toHaveProperty('password')
  expect(body({ password: 'secret-1' })).toMatchObject({ password: 'secret-1' })
})

test.each([
  [0, 'between 1 and 100'],
  [100.5, 'between 1 and 100'],
  ['', 'must be a number'],
  ['many', 'must be a number'],
])('a storage limit of %j is refused', (storage_limit_gb, words) => {
  const read = EditHost.safeParse(body({ storage_limit_gb }))
  expect(read.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['storage_limit_gb', expect.stringContaining(words)],
  ])
})

test('leaves Zoom unchanged, disconnects it, or connects it', () => {
  expect(body({})).not.toHaveProperty('zoom_user_email')
  expect(body({}, { kind: 'dropped' })).toMatchObject({ zoom_user_email: '' })
  expect(body({}, { kind: 'connected', email: 'n@b.co' })).toMatchObject({ zoom_user_email: 'n@b.co' })
})

describe('the subscription', () => {
  test.each([
    [{ action: 'extend', months: '12' }, '2028-02-21T12:00:00.000Z', 'active'],
    [{ action: 'reduce', months: '2' }, '2026-12-21T12:00:00.000Z', 'active'],
    [{ action: 'reduce', months: '6' }, '2026-11-21T12:00:00.000Z', 'expired'],
    [{ action: 'set_date', day: '2026-11-21' }, '2026-11-21T23:59:59.000Z', 'active'],
    [{ action: 'cancel' }, '2026-11-21T12:00:00.000Z', 'cancelled'],
  ] as const)('after %j ends %s and is %s, in the preview as in what is sent', (given, end, status) => {
    const values = { ...valuesOf(host), ...given }
    const after = { subscription_end_date: end, subscription_status: status }
    expect(editedSubscription(values, host, NOW)?.after).toMatchObject(after)
    expect(body(given)).toMatchObject({ ...after, subscription_action: given.action })
  })

  test.each([{ action: '' }, { action: 'set_date', day: '' }, { action: 'set_date', day: '21.11.' }] as const)(
    'is left alone by %j',
    (given) => {
      expect(editedSubscription({ ...valuesOf(host), ...given }, host, NOW)).toBeNull()
      expect(body(given)).not.toHaveProperty('subscription_end_date')
    },
  )

  test('ends today at the earliest, as the server counts days', () => {
    expect(earliestDay(Date.parse('2026-11-21T23:59:59Z'))).toBe('2026-11-21')
  })
})

describe('after a conflict', () => {
  const now = { ...host, mobile: '222', storage_limit_gb: 50, username: 'asha2' }

  test("takes the other's changes, keeps one's own, and names the other's", () => {
    const mine = { ...valuesOf(host), mobile: '333', password: 'new one' }
    expect(mergeRemoteChanges(mine, host, now)).toEqual({
      values: { ...mine, username: 'asha2', storage_limit_gb: 50 },
      lines: ['Username: asha2', 'Mobile: 222', 'Storage limit: 50'],
    })
  })

  test('names a changed subscription, and a removed value as none', () => {
    const gone = { ...host, mobile: null, recording_enabled: false, subscription_status: 'cancelled' as const }
    expect(mergeRemoteChanges(valuesOf(host), host, gone).lines).toEqual([
      'Mobile: none',
      'Recording: off',
      'Subscription: cancelled',
    ])
  })

  test('names both ends of a subscription that was extended, and drops the action', () => {
    const mine = { ...valuesOf(host), action: 'extend' as const, mobile: '333' }
    const extended = { ...host, subscription_end_date: '2027-03-21T12:00:00.000Z' }
    expect(mergeRemoteChanges(mine, host, extended)).toEqual({
      values: { ...mine, action: '' },
      lines: ['Subscription: active, end date 21 Mar 2027 (was 21 Feb 2027)'],
    })
  })
})

test.each([
  ['z@b.co', []],
  [' ', []],
  ['other@b.co', ['zoom_user_email']],
])('the Zoom email %j without a consent is refused at %j', (zoom_user_email, at) => {
  expect(Object.keys(zoomEmailFault({ ...valuesOf(host), zoom_user_email }, host))).toEqual(at)
})
