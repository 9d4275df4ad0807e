export type NewHostCredentials = { user_id: string; username: string; password: string }

/** What a master sends to a new host: where to log in, with which username and password. */
export function newHostCredentialsText({ user_id, username, password }: NewHostCredentials, hostUrl: string): string {
  return [`Sign in at: ${hostUrl}/login`, `Username: ${username}`, `Password: ${password}`, `Host ID: ${user_id}`].join(
    '\n',
  )
}
