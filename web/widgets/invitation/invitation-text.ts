import { phoneLink } from './phone-link.ts'

/** The largest number of cards at a time; each is half a sheet of paper. */
export const INVITATION_LIMIT = 200

export type Invitation = { roomName: string; hostId: string; username: string }

/** A message that is ready to send; the password goes another way. */
export function invitationText({ roomName, hostId, username }: Invitation): string {
  return [
    `${username}, you are invited to “${roomName}”.`,
    '',
    `1. Open this link on your phone: ${phoneLink(hostId)}`,
    `2. Sign in with Host ID ${hostId}, username ${username}, and the password that your host gave you.`,
    '3. Tap Join, then Join Audio.',
  ].join('\n')
}
