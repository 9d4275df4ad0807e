import type { z } from 'zod'
import type { CredentialsAnswer } from '../../shared/room-users.ts'

type Credentials = z.infer<typeof CredentialsAnswer>['data']

/** A message that a host can send as it is; the labels are those of the phone app's sign-in page. */
export function credentialsText(credentials: Credentials, roomName: string, appUrl: string): string {
  const { host_id, user_id, username, password } = credentials
  return [
    `How to sign in to “${roomName}”`,
    '',
    ...(appUrl ? [`Get the Parley app: ${appUrl}`, 'Then sign in with:', ''] : []),
    `Host ID: ${host_id}`,
    `Username: ${username}`,
    `Password: ${password}`,
    `User ID: ${user_id}`,
    '',
    'It works on one phone: the first one that you sign in on. If you get a new phone, tell me and I’ll switch it over.',
  ].join('\n')
}
