import { CalendarLinkAnswer, type PlanMeeting, PlannedMeetingAnswer } from '../../shared/planned-meetings.ts'
import type { TestServer } from '../servers/start.ts'
import { call, type SignedIn } from './accounts.ts'

/** Every Tuesday evening in Berlin. */
export const TUESDAYS: PlanMeeting = {
  first_day: '2026-12-01',
  last_day: null,
  weekdays: ['TU'],
  time: '19:30',
  minutes: 90,
  time_zone: 'Europe/Berlin',
}

export async function planMeeting(server: Pick<TestServer, 'app'>, as: SignedIn, change: Partial<PlanMeeting> = {}) {
  const { body } = await call(server, 'POST', '/host/planned-meetings', { as, body: { ...TUESDAYS, ...change } })
  return PlannedMeetingAnswer.parse(body).data.planned_meeting
}

/** Makes the room's calendar link. */
export async function makeCalendarLink(server: Pick<TestServer, 'app'>, as: SignedIn) {
  const { body } = await call(server, 'POST', '/host/calendar-link', { as })
  const { url } = CalendarLinkAnswer.parse(body).data
  return { url, path: new URL(url).pathname, token: /([\w-]+)\.ics$/.exec(url)?.[1] ?? '' }
}
