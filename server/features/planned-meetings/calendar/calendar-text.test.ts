import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import type { StoredTimes } from '../planned-meetings.ts'
import { calendarText } from './calendar-text.ts'

const now = Date.parse('2026-11-28T12:00:00Z')
const TUESDAYS: StoredTimes = {
  id: '61d9b3e7-4c05-4f82-a7e1-0b8c5d2f9a36',
  first_day: '2026-12-01',
  last_day: null,
  weekdays: ['TU'],
  time: '19:30',
  minutes: 90,
  time_zone: 'Europe/Berlin',
  updated_at: new Date('2026-11-20T06:30:00Z'),
}

const write = (change: Partial<StoredTimes> = {}, room_name = 'Choir') =>
  calendarText({ room_name, meetings: [{ ...TUESDAYS, ...change }], now })

/** Reads the text as a calendar program does, by the zones that are in it alone. */
function read(text: string) {
  ICAL.TimezoneService.reset()
  const calendar = new ICAL.Component(ICAL.parse(text))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return { calendar, events: calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event)) }
}

/** Returns when the meetings begin, in UTC, and how many minutes they last. */
function occurrencesOf(text: string, most = 400) {
  const [event] = read(text).events
  if (!event) throw new Error('There is no event')
  const steps = event.iterator()
  const starts: string[] = []
  for (let step = steps.next(); step && starts.length < most; step = steps.next())
    starts.push(step.toJSDate().toISOString())
  return { starts, minutes: event.duration.toSeconds() / 60 }
}

describe('calendarText', () => {
  test('names room, meeting and the times of its change, with strict line ends', () => {
    const text = write()
    expect(text.split('\r\n').filter((line) => !/^(TZ|DTSTART:|RRULE:FREQ=YEARLY)/.test(line))).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Parley//Planned meetings//EN',
      'CALSCALE:GREGORIAN',
      'NAME:Choir',
      'X-WR-CALNAME:Choir',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'X-PUBLISHED-TTL:PT1H',
      'BEGIN:VTIMEZONE',
      'BEGIN:STANDARD',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'UID:61d9b3e7-4c05-4f82-a7e1-0b8c5d2f9a36',
      'DTSTAMP:20261120T063000Z',
      'LAST-MODIFIED:20261120T063000Z',
      'SUMMARY:Choir',
      'DTSTART;TZID=Europe/Berlin:20261201T193000',
      'DURATION:PT90M',
      'RRULE:FREQ=WEEKLY;BYDAY=TU',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ])
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  test.each([
    ['Europe/Berlin', '19:30'],
    ['America/New_York', '00:15'],
    ['Australia/Lord_Howe', '09:00'],
    ['America/Santiago', '21:00'],
    ['Asia/Jerusalem', '18:00'],
    ['Asia/Kolkata', '07:00'],
    ['UTC', '12:00'],
  ])('keeps the hour in %s over six years of changes', (time_zone, time) => {
    const { starts, minutes } = occurrencesOf(write({ time_zone, time }), 6 * 52)
    const first = Temporal.PlainDate.from('2026-12-01')
    const expected = starts.map((_, week) => {
      const day = first.add({ weeks: week })
      return new Date(day.toZonedDateTime({ timeZone: time_zone, plainTime: time }).epochMilliseconds).toISOString()
    })
    expect(starts).toEqual(expected)
    expect([starts.length, minutes]).toEqual([312, 90])
  })

  test('has no earlier first day than a day of the week on which it takes place', () => {
    const { starts } = occurrencesOf(write({ weekdays: ['MO', 'FR'] }), 3)
    expect(starts).toEqual(['2026-12-04T18:30:00.000Z', '2026-12-07T18:30:00.000Z', '2026-12-11T18:30:00.000Z'])
  })

  test.each(['2027-04-06', '2027-04-12'])(
    'ends with the last meeting up to %s, after the clocks have changed',
    (last_day) => {
      const text = write({ last_day })
      expect(text).toContain('RRULE:FREQ=WEEKLY;UNTIL=20270406T173000Z;BYDAY=TU\r\n')
      const { starts } = occurrencesOf(text)
      expect(starts).toHaveLength(19)
      expect(starts.slice(-3)).toEqual([
        '2027-03-23T18:30:00.000Z',
        '2027-03-30T17:30:00.000Z',
        '2027-04-06T17:30:00.000Z',
      ])
    },
  )

  test('has one that takes place once', () => {
    const text = write({ weekdays: [], first_day: '2026-12-24', minutes: 1440 })
    expect(text).not.toContain('RRULE:FREQ=WEEKLY')
    expect(occurrencesOf(text)).toEqual({ starts: ['2026-12-24T18:30:00.000Z'], minutes: 1440 })
  })

  test('knows the clocks of earlier years, and of years far ahead', () => {
    const past = occurrencesOf(write({ first_day: '2019-07-02', time_zone: 'America/Mexico_City' }), 260).starts
    expect([past[0], past.find((start) => start.startsWith('2023-07'))]).toEqual([
      '2019-07-03T00:30:00.000Z',
      '2023-07-05T01:30:00.000Z', // Mexico has had no summer time since 2022
    ])
    const ahead = occurrencesOf(write({ weekdays: [], first_day: '2099-07-01' })).starts
    expect(ahead).toEqual(['2099-07-01T17:30:00.000Z'])
  })

  test('describes each zone once, and has all meetings', () => {
    const meetings = [TUESDAYS, { ...TUESDAYS, id: 'b' }, { ...TUESDAYS, id: 'c', time_zone: 'Asia/Kolkata' }]
    const { calendar, events } = read(calendarText({ room_name: 'Choir', meetings, now }))
    const zones = calendar.getAllSubcomponents('vtimezone').map((zone) => zone.getFirstPropertyValue('tzid'))
    expect(zones).toEqual(['Europe/Berlin', 'Asia/Kolkata'])
    expect(events.map(({ uid }) => uid)).toEqual([TUESDAYS.id, 'b', 'c'])
  })

  test('is a calendar too where nothing is planned', () => {
    const { calendar, events } = read(calendarText({ room_name: 'Choir', meetings: [], now }))
    expect(events).toEqual([])
    expect(calendar.getAllSubcomponents()).toHaveLength(1)
  })

  test.each([
    'Bass; tenor, alto\\new soprano',
    'Two\nlines: BEGIN:VEVENT',
    `${'ä'.repeat(60)}${'合唱団'.repeat(30)}${'🎶'.repeat(25)} end`,
    `x${'🎶'.repeat(40)}`,
  ])('keeps the name %j, in lines of at most 75 octets', (name) => {
    const text = write({}, name)
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line.isWellFormed()).toBe(true)
    }
    expect(read(text).events.map(({ summary }) => summary)).toEqual([name])
    const rawOf = (property: string) => new RegExp(`^${property}:(.*)$`, 'm').exec(text.replaceAll('\r\n ', ''))?.[1]
    expect(rawOf('X-WR-CALNAME')).toBe(rawOf('SUMMARY'))
  })

  test('escapes what has a meaning in the format', () => {
    expect(write({}, 'a;b,c\\d\ne')).toContain('\r\nSUMMARY:a\\;b\\,c\\\\d\\ne\r\n')
  })

  test('leaves control characters out', () => {
    expect(read(write({}, 'A\u0000\u001b[1m\u007fB')).events[0]?.summary).toBe('A[1mB')
  })
})
