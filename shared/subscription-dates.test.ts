import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths } from './dates.ts'
import {
  cancelDates,
  datesOf,
  editSubscription,
  extendDates,
  newSubscription,
  readSubscription,
  reduceDates,
  setEndDate,
  statusAt,
} from './subscription-dates.ts'

const at = (text: string) => new Date(text)
const NOW = at('2026-11-21T10:00:00Z')
const ending = (end: string | null) => ({
  subscription_type: 1,
  subscription_start_date: at('2026-01-01T00:00:00Z'),
  subscription_end_date: end ? at(end) : null,
  subscription_cancelled_at: null,
})

const anyDate = fc.date({ min: at('2000-01-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z'), noInvalidDate: true })
const anyMonths = fc.constantFrom(1, 2, 3, 6, 12)

describe('adding calendar months in UTC', () => {
  test.each([
    ['2026-01-31T10:00:00Z', 1, '2026-02-28T10:00:00Z'],
    ['2028-01-31T10:00:00Z', 1, '2028-02-29T10:00:00Z'],
    ['2028-02-29T00:00:00Z', 12, '2029-02-28T00:00:00Z'],
    ['2026-12-31T23:59:59Z', 2, '2027-02-28T23:59:59Z'],
    ['2026-03-31T00:00:00Z', -1, '2026-02-28T00:00:00Z'],
    ['2026-08-31T12:00:00Z', 3, '2026-11-30T12:00:00Z'],
    ['2026-11-21T10:00:00Z', 6, '2027-05-21T10:00:00Z'],
  ])('%s and %i months is %s', (from, months, to) => {
    expect(addMonths(at(from), months)).toEqual(at(to))
  })
})

/** Returns the number of days in the month, without Temporal. */
const lastDayOf = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

test('adding months keeps the time and clamps the day, whatever the date', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -24, max: 24 }), (from, months) => {
      const moved = addMonths(from, months)
      const month = from.getUTCFullYear() * 12 + from.getUTCMonth() + months
      expect(moved.getUTCFullYear() * 12 + moved.getUTCMonth()).toBe(month)
      expect(moved.getUTCDate()).toBe(Math.min(from.getUTCDate(), lastDayOf(Math.floor(month / 12), month % 12)))
      expect(moved.getTime() % 86_400_000).toBe(from.getTime() % 86_400_000)
    }),
  )
})

describe('the status follows from the dates', () => {
  test.each([
    ['2026-11-21T10:00:01Z', 'active'],
    ['2026-11-21T10:00:00Z', 'expired'],
    ['2025-01-01T00:00:00Z', 'expired'],
    [null, 'none'],
  ])('ending %s it is %s', (end, status) => {
    expect(statusAt(ending(end), NOW)).toBe(status)
  })

  test('cancelled stays cancelled whatever the end', () => {
    expect(statusAt({ ...ending('2030-01-01T00:00:00Z'), subscription_cancelled_at: NOW }, NOW)).toBe('cancelled')
  })
})

describe('extending', () => {
  test.each([
    ['2026-12-31T00:00:00Z', 1, '2027-01-31T00:00:00Z'],
    ['2026-10-01T00:00:00Z', 1, '2026-12-21T10:00:00Z'],
    [null, 3, '2027-02-21T10:00:00Z'],
  ])('from %s by %i months ends %s and is active', (end, months, expected) => {
    const extended = extendDates(ending(end), months, NOW)
    expect(extended.subscription_end_date).toEqual(at(expected))
    expect(statusAt(extended, NOW)).toBe('active')
  })

  test('reverses a cancellation', () => {
    expect(statusAt(extendDates(cancelDates(ending('2027-01-01T00:00:00Z'), NOW), 1, NOW), NOW)).toBe('active')
  })
})

test('reducing never ends before today, and then is expired', () => {
  const reduced = reduceDates(ending('2026-12-01T00:00:00Z'), 12, NOW)
  expect(reduced.subscription_end_date).toEqual(NOW)
  expect(statusAt(reduced, NOW)).toBe('expired')
})

test('cancelling ends today', () => {
  const cancelled = cancelDates(ending('2027-01-01T00:00:00Z'), NOW)
  expect(cancelled.subscription_end_date).toEqual(NOW)
  expect(statusAt(cancelled, NOW)).toBe('cancelled')
})

test('cancelling again changes nothing', () => {
  const cancelled = cancelDates(ending('2027-01-01T00:00:00Z'), NOW)
  expect(cancelDates(cancelled, at('2026-12-01T00:00:00Z'))).toBe(cancelled)
})

test('setting a future date is active, a past one is expired', () => {
  expect(statusAt(setEndDate(ending(null), at('2026-11-22T00:00:00Z'), NOW), NOW)).toBe('active')
  expect(statusAt(setEndDate(ending(null), at('2026-11-20T00:00:00Z'), NOW), NOW)).toBe('expired')
})

test.each([
  ['2026-11-25', 1],
  ['2027-01-20', 2],
  ['2027-04-01', 6],
  ['2030-01-01', 12],
])('a date of %s without a subscription counts as %i months', (day, months) => {
  const none = newSubscription(null, NOW)
  expect(editSubscription(none, { action: 'set_date', day }, NOW).subscription_type).toBe(months)
})

describe("editing what the API returned, as in the form's preview", () => {
  const subscription = readSubscription(ending('2026-12-31T12:00:00Z'), NOW)
  test.each([
    [{ action: 'extend', months: 2 }, '2027-02-28T12:00:00.000Z', 'active'],
    [{ action: 'reduce', months: 1 }, '2026-11-30T12:00:00.000Z', 'active'],
    [{ action: 'reduce', months: 12 }, NOW.toISOString(), 'expired'],
    [{ action: 'set_date', day: '2026-11-21' }, '2026-11-21T23:59:59.000Z', 'active'],
    [{ action: 'set_date', day: '2026-11-20' }, '2026-11-20T23:59:59.000Z', 'expired'],
    [{ action: 'cancel' }, NOW.toISOString(), 'cancelled'],
  ] as const)('%j ends %s and is %s', (edit, end, status) => {
    const edited = readSubscription(editSubscription(datesOf(subscription), edit, NOW), NOW)
    expect(edited).toMatchObject({ subscription_end_date: end, subscription_status: status })
  })

  test('a cancelled subscription reads as cancelled, and extending it begins today', () => {
    const cancelled = readSubscription(cancelDates(ending('2027-01-01T00:00:00Z'), NOW), NOW)
    expect(readSubscription(datesOf(cancelled), NOW)).toEqual(cancelled)
    const later = at('2026-11-22T00:00:00Z')
    const extended = readSubscription(
      editSubscription(datesOf(cancelled), { action: 'extend', months: 1 }, later),
      later,
    )
    expect(extended).toMatchObject({
      subscription_end_date: '2026-12-22T00:00:00.000Z',
      subscription_status: 'active',
    })
  })
})

test('a host created without months has no subscription', () => {
  expect(statusAt(newSubscription(null, NOW), NOW)).toBe('none')
  expect(newSubscription(12, NOW).subscription_end_date).toEqual(at('2027-11-21T10:00:00Z'))
})

test('extending and then reducing by the same months never ends later than before', () => {
  fc.assert(
    fc.property(anyDate, anyDate, anyMonths, (end, now, months) => {
      const before = { ...ending(null), subscription_end_date: end }
      const after = reduceDates(extendDates(before, months, now), months, now)
      const began = Math.max(end.getTime(), now.getTime())
      expect(after.subscription_end_date?.getTime()).toBeLessThanOrEqual(began)
    }),
  )
})

test('no change ends a subscription before now', () => {
  fc.assert(
    fc.property(anyDate, anyDate, anyMonths, (end, now, months) => {
      const before = { ...ending(null), subscription_end_date: end }
      expect(Number(extendDates(before, months, now).subscription_end_date)).toBeGreaterThan(now.getTime())
      expect(Number(reduceDates(before, months, now).subscription_end_date)).toBeGreaterThanOrEqual(now.getTime())
    }),
  )
})
