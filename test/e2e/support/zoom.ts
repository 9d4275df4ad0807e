import { http, type ServerProcess } from '../../servers/server-process.ts'
import { masterToken } from './hosts.ts'

/** Sends a control call to the Zoom emulator. */
export async function control({ emulator_origin }: ServerProcess, path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`${emulator_origin}/_emulator${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`The emulator refused ${path}: ${await answer.text()}`)
}

/** Consents at Zoom for this email without a browser; returns the id of the result, which is not claimed yet. */
export async function consentResult(
  server: ServerProcess,
  email: string,
  { return_url = `${server.master_url}/oauth-success`, token }: { return_url?: string; token?: string } = {},
): Promise<string> {
  const master = token ?? (await masterToken(server))
  const query = new URLSearchParams({ email, return_url })
  const { auth_url } = (await http(server, 'GET', `/oauth/url?${query}`, { token: master })).body
  const request = /name="request" value="([^"]+)"/.exec(await (await fetch(auth_url)).text())?.[1] ?? ''
  const body = new URLSearchParams({ request, account: 'other', email, action: 'allow' })
  const consented = await fetch(new URL('/oauth/consent', auth_url), { method: 'POST', redirect: 'manual', body })
  const callback = new URL(consented.headers.get('location') ?? '')
  const returned = await fetch(`http://127.0.0.1:${server.port}${callback.pathname}${callback.search}`, {
    redirect: 'manual',
    headers: { host: callback.host },
  })
  const end = new URL(returned.headers.get('location') ?? '')
  const result = end.searchParams.get('oauth_result')
  if (!result) throw new Error(`No consent: ${end}`)
  return result
}
