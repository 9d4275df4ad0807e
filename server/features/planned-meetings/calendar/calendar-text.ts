import { MINUTE_MS } from '../../../../shared/dates.ts'
import { endOfAll, firstDayFrom } from '../meeting-days.ts'
import type { StoredTimes } from '../planned-meetings.ts'
import { escapeText, joinLines, localTime, utcTime } from './calendar-lines.ts'
import { zoneLines } from './zone-lines.ts'

interface PlannedRoom {
  room_name: string
  meetings: readonly StoredTimes[]
  now: number
}

/** Writes a room's planned meetings as a calendar (RFC 5545). It changes with the plans and, for some zones, the year. */
export function calendarText({ room_name, meetings, now }: PlannedRoom): string {
  const name = escapeText(room_name)
  const zones = Map.groupBy(meetings, ({ time_zone }) => time_zone)
  if (zones.size === 0) zones.set('UTC', []) // a calendar has one part at least
  const clocks = [...zones].map(([time_zone, planned]) => {
    const firstYear = Math.min(...planned.map(({ first_day }) => Temporal.PlainDate.from(first_day).year))
    return zoneLines(time_zone, { firstYear, now })
  })
  return joinLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Parley//Planned meetings//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...clocks.flat(),
    ...meetings.flatMap((meeting) => meetingLines(meeting, name)),
    'END:VCALENDAR',
  ])
}

function meetingLines(meeting: StoredTimes, name: string): string[] {
  const { id, time, time_zone, minutes, updated_at } = meeting
  const first = firstDayFrom(meeting, null)
  if (!first) return []
  const changed = utcTime(updated_at.getTime())
  return [
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `SUMMARY:${name}`,
    `DTSTART;TZID=${time_zone}:${localTime(first.toPlainDateTime(Temporal.PlainTime.from(time)))}`,
    `DURATION:PT${minutes}M`,
    ...repetition(meeting),
    'END:VEVENT',
  ]
}

function repetition(meeting: StoredTimes): string[] {
  if (meeting.weekdays.length === 0) return []
  const end = endOfAll(meeting)
  const until = end ? `;UNTIL=${utcTime(end - meeting.minutes * MINUTE_MS)}` : ''
  return [`RRULE:FREQ=WEEKLY${until};BYDAY=${meeting.weekdays.join(',')}`]
}
