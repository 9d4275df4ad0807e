import { describe, expect, test } from 'vitest'
import type { MeetingTimes } from '../../../shared/planned-meetings.ts'
import { endOfAll, nextMeetingOf, nextMovedDay } from './meeting-days.ts'

const EVERY_TUESDAY: MeetingTimes = {
  first_day: '2026-10-20',
  last_day: null,
  weekdays: ['TU'],
  time: '19:30',
  minutes: 90,
  time_zone: 'Europe/Berlin',
}
const at = (time: string) => Date.parse(time)
const startsAt = (times: MeetingTimes, now: string) => {
  const next = nextMeetingOf(times, at(now))
  return next && new Date(next.starts_at).toISOString()
}

describe('the next meeting', () => {
  test.each([
    ['before the first day', {}, '2026-01-01T00:00:00Z', '2026-10-20T17:30:00.000Z'],
    ['in summer time', {}, '2026-10-20T12:00:00Z', '2026-10-20T17:30:00.000Z'],
    ['after the clocks have changed', {}, '2026-10-25T12:00:00Z', '2026-10-27T18:30:00.000Z'],
    ['while it takes place', {}, '2026-10-27T19:59:59.999Z', '2026-10-27T18:30:00.000Z'],
    ['once it is over', {}, '2026-10-27T20:00:00Z', '2026-11-03T18:30:00.000Z'],
    ['on several days', { weekdays: ['TU', 'FR'] }, '2026-10-27T20:00:00Z', '2026-10-30T18:30:00.000Z'],
    [
      'after midnight, of a day long',
      { time: '23:00', minutes: 1440 },
      '2026-10-28T10:00:00Z',
      '2026-10-27T22:00:00.000Z',
    ],
    [
      'east of the reader',
      { time_zone: 'Pacific/Kiritimati', time: '01:00' },
      '2026-10-26T10:00:00Z',
      '2026-10-26T11:00:00.000Z',
    ],
    ['on its last day', { last_day: '2026-10-27' }, '2026-10-27T12:00:00Z', '2026-10-27T18:30:00.000Z'],
    ['after its last day', { last_day: '2026-10-27' }, '2026-10-28T12:00:00Z', null],
    ['once', { weekdays: [] }, '2026-10-19T12:00:00Z', '2026-10-20T17:30:00.000Z'],
    ['once, and over', { weekdays: [] }, '2026-10-20T19:00:00Z', null],
  ] satisfies [string, Partial<MeetingTimes>, string, string | null][])('%s', (_, change, now, expected) => {
    expect(startsAt({ ...EVERY_TUESDAY, ...change }, now)).toBe(expected)
  })

  test('begins later where the clocks skip its time, and at the first of a time that comes twice', () => {
    const night = { ...EVERY_TUESDAY, weekdays: [], time: '02:30' } satisfies MeetingTimes
    expect(nextMeetingOf({ ...night, first_day: '2027-03-28' }, 0)).toMatchObject({
      starts_at: at('2027-03-28T01:30:00Z'), // 03:30 in summer time
      is_moved: true,
    })
    expect(nextMeetingOf({ ...night, first_day: '2026-10-25' }, 0)).toMatchObject({
      starts_at: at('2026-10-25T00:30:00Z'),
      is_moved: false,
    })
  })
})

describe('the next day on which the clocks skip its time', () => {
  const nights = { ...EVERY_TUESDAY, weekdays: ['SU'], time: '02:30' } satisfies MeetingTimes
  const MARCH = { day: '2027-03-28', time: '03:30' }

  test.each([
    ['comes', {}, '2026-11-28T12:00:00Z', MARCH],
    ['is today', {}, '2027-03-28T00:45:00Z', MARCH],
    ['has come, but the meeting not yet', {}, '2027-03-28T01:10:00Z', MARCH],
    ['is over', {}, '2027-03-28T04:00:00Z', { day: '2028-03-26', time: '03:30' }],
    ['is not one of its days', { weekdays: ['MO'] }, '2026-11-28T12:00:00Z', null],
    ['comes after its last day', { last_day: '2027-03-27' }, '2026-11-28T12:00:00Z', null],
    ['has another time', { time: '03:00' }, '2026-11-28T12:00:00Z', null],
    [
      'begins later',
      { time_zone: 'Asia/Beirut', time: '00:15' },
      '2027-03-27T12:00:00Z',
      { day: '2027-03-28', time: '01:15' },
    ],
    ['does not exist in its zone', { time_zone: 'Asia/Kolkata' }, '2026-11-28T12:00:00Z', null],
  ] satisfies [string, Partial<MeetingTimes>, string, typeof MARCH | null][])('%s', (_, change, now, expected) => {
    expect(nextMovedDay({ ...nights, ...change }, at(now))).toEqual(expected)
  })
})

describe('the end of all of them', () => {
  test.each([
    ['is that of the only one', { weekdays: [] }, at('2026-10-20T19:00:00Z')],
    ['is that of the last one', { last_day: '2026-11-02' }, at('2026-10-27T20:00:00Z')],
    ['is unknown without a last day', {}, null],
    ['is nowhere if there is none', { first_day: '2026-10-21', last_day: '2026-10-26' }, undefined],
  ] satisfies [string, Partial<MeetingTimes>, number | null | undefined][])('%s', (_, change, expected) => {
    expect(endOfAll({ ...EVERY_TUESDAY, ...change })).toBe(expected)
  })
})
