import type { SittingTimes } from '../../../shared/attendance.ts'
import { formatSpan } from '../../lib/periods.ts'
import { formatMoment, formatTime, formatWeekdayMoment } from '../../ui/format-date.ts'

type Times = Pick<SittingTimes, 'started_at' | 'ended_at'>

/** Names a meeting by its times: "Fri 20 Nov 2026, 12:00 – 13:00". */
export function meetingName({ started_at, ended_at }: Times): string {
  return ended_at === null
    ? `Now, since ${formatMoment(started_at)}`
    : `${formatWeekdayMoment(started_at)} – ${formatTime(ended_at)}`
}

/** Heads what is about one meeting: "Meeting of Fri 20 Nov 2026, 12:00 – 13:00". */
export function meetingTitle(meeting: Times): string {
  return meeting.ended_at === null
    ? `Running meeting, since ${formatMoment(meeting.started_at)}`
    : `Meeting of ${meetingName(meeting)}`
}

/** Formats how long a meeting took, or has taken until now. */
export function meetingLength({ started_at, ended_at }: Times, now: number): string {
  const end = ended_at === null ? now : Date.parse(ended_at)
  return formatSpan(Math.max(0, Math.round((end - Date.parse(started_at)) / 1000)))
}

export const meetingAddress = (id: string) => `/host/meetings?${new URLSearchParams({ meeting: id })}`
