export type NewHostCredentials = { user_id: string; username: string; password: string }

/** A message for a new host, with the login address, username and password. */
export function newHostCredentialsText({ user_id, username, password }: NewHostCredentials, hostUrl: string): string {
  return [`Sign in at: ${hostUrl}/login`, `Username: ${username}`, `Password: ${password}`, `Host ID: ${user_id}`].join(
    '\n',
  )
}
