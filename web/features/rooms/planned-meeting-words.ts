import { type MeetingTimes, WEEKDAYS, type Weekday } from '../../../shared/planned-meetings.ts'
import { formatLongDay } from '../../ui/format-date.ts'

export const DAY_NAMES: Record<Weekday, string> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
}

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const DAY_MINUTES = 24 * 60

/** Words when it takes place, in its own time zone: Every Tuesday and Friday, 19:30 to 21:00. */
export function meetingWords(times: MeetingTimes): string {
  return `${daysOf(times)}, ${times.time} to ${endOf(times)}`
}

function daysOf({ first_day, last_day, weekdays }: MeetingTimes): string {
  if (weekdays.length === 0) return formatLongDay(first_day)
  const days = weekdays.length === WEEKDAYS.length ? 'day' : LIST.format(weekdays.map((day) => DAY_NAMES[day]))
  return `Every ${days}${last_day ? ` until ${formatLongDay(last_day)}` : ''}`
}

function endOf({ time, minutes }: MeetingTimes): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const end = hour * 60 + minute + minutes
  const clock = [Math.floor(end / 60) % 24, end % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return end >= DAY_MINUTES ? `${clock} the next day` : clock
}
