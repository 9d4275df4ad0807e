import { IconCalendarTime } from '@tabler/icons-react'
import type { NextMeeting } from '../../../shared/planned-meetings.ts'
import { dateLocale } from '../words/date-locale.ts'
import { useLanguage, useTranslate } from '../words/language.ts'
import classes from './NextMeetingLine.module.css'

/** Says when the room meets next, in the zone of the phone. A meeting that was known at the sign-in may be over by now. */
export function NextMeetingLine({ meeting }: { meeting: NextMeeting | undefined }) {
  const t = useTranslate()
  const { code } = useLanguage()
  if (!meeting || Date.parse(meeting.ends_at) <= Date.now()) return null
  const isNow = Date.parse(meeting.starts_at) <= Date.now()
  const time = formatMeetingTime(code, meeting.starts_at)
  return (
    <p className={classes.line}>
      <IconCalendarTime size="1.4em" aria-hidden="true" />
      <span>{t(isNow ? 'room.meeting_time' : 'room.next_meeting', { time })}</span>
    </p>
  )
}

/** Formats it like Tuesday 1 December, 19:30. */
function formatMeetingTime(code: string, iso: string): string {
  const at = new Date(iso)
  const locale = dateLocale(code)
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(at)
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at)
  return code === 'en' ? `${day.replace(',', '')}, ${time}` : `${day}, ${time}`
}
