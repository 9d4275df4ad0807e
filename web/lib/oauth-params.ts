/** Reads the parameters of the return from Zoom's consent; the older name of each is still valid. */
export function readOAuthParams(params: URLSearchParams) {
  const first = (...names: string[]) => names.map((name) => params.get(name)).find(Boolean) ?? null
  return {
    resultId: first('oauth_result_id', 'oauth_result'),
    email: first('user_email', 'oauth_email'),
    hostId: first('host_id'),
    status: first('oauth_status', 'status'),
    hasToken: first('access_token', 'oauth_token') !== null, // the value is never read
  }
}
