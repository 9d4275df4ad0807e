import type { z } from 'zod'
import type { CredentialsAnswer } from '../../../shared/room-users.ts'
import { phoneLink } from './phone-link.ts'

type Credentials = z.infer<typeof CredentialsAnswer>['data']

/** A message that is ready to send; its labels are those of the phone app's sign-in page. */
export function credentialsText(credentials: Credentials, roomName: string, storeUrl: string): string {
  const { host_id, user_id, username, password } = credentials
  return [
    `How to sign in to “${roomName}”`,
    '',
    `1. Open this link on your phone: ${phoneLink(host_id)}`,
    ...(storeUrl ? [`   Or get the Parley app: ${storeUrl}`] : []),
    '2. Sign in with:',
    '',
    `Host ID: ${host_id}`,
    `Username: ${username}`,
    `Password: ${password}`,
    `User ID: ${user_id}`,
    '',
    '3. Tap Join, then Join Audio.',
    '',
    'The first phone you use becomes your phone. If you get a new phone, tell me and I’ll switch it over.',
  ].join('\n')
}
