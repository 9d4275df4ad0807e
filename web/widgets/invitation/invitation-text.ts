import type { NextMeeting } from '../../../shared/planned-meetings.ts'
import { ownTimeZone } from '../../lib/time-zone.ts'
import { formatLongMoment } from '../../ui/format-date.ts'
import { phoneLink } from './phone-link.ts'

/** The largest number of cards at a time; each is half a sheet of paper. */
export const INVITATION_LIMIT = 200

export type Invitation = {
  roomName: string
  hostId: string
  username: string
  /** Names its zone, since a text is read anywhere; null if no meeting is planned. */
  nextMeeting: string | null
}

/** Words the next meeting in the sender's zone, which it names: Tuesday 1 December, 19:30 (Europe/Berlin). */
export function nextMeetingText(next: NextMeeting | null | undefined, now: number): string | null {
  return next ? `${formatLongMoment(next.starts_at, now)} (${ownTimeZone()})` : null
}

/** A message that is ready to send; the password goes another way. */
export function invitationText({ roomName, hostId, username, nextMeeting }: Invitation): string {
  return [
    `${username}, you are invited to “${roomName}”.`,
    ...(nextMeeting ? [`Next meeting: ${nextMeeting}`] : []),
    '',
    `1. Open this link on your phone: ${phoneLink(hostId)}`,
    `2. Sign in with Host ID ${hostId}, username ${username}, and the password that your host gave you.`,
    '3. Tap Join, then Join Audio.',
  ].join('\n')
}
