import type { z } from 'zod'
import type { CredentialsAnswer } from '../../shared/room-users.ts'

/** What a host sends to a person, in the words of the phone app's login. */
export function credentialsText(credentials: z.infer<typeof CredentialsAnswer>['data']): string {
  const { host_id, user_id, username, password } = credentials
  return [`Host ID: ${host_id}`, `Username: ${username}`, `Password: ${password}`, `User ID: ${user_id}`].join('\n')
}
