import { type Emulator, startEmulator } from '../emulator/app.ts'
import { http, signInMaster } from './server-process.ts'

export interface OuterZoom extends Emulator {
  /** What a server process needs to know to have this as its Zoom. */
  env: Record<string, string>
  /** A control call of the emulator. */
  control(path: string, body?: object, method?: string): ReturnType<Response['json']>
}

/** The emulator beside a server process that will listen on this port. */
export async function startZoomFor(port: number): Promise<OuterZoom> {
  const app = { clientId: 'client', clientSecret: 'secret' }
  const redirectUris = [`http://localhost:${port}/api/oauth/callback`]
  const zoom = await startEmulator({
    ...app,
    redirectUris,
    port: 0,
    hostname: '127.0.0.1',
    control: true,
    seed: [],
    options: { second_limits: false }, // fifty calls at a time are asked of one account
  })
  return {
    ...zoom,
    env: {
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      ZOOM_CLIENT_ID: app.clientId,
      ZOOM_CLIENT_SECRET: app.clientSecret,
      ZOOM_OAUTH_URL: zoom.oauthUrl,
      ZOOM_API_URL: zoom.apiUrl,
    },
    async control(path, body, method = body ? 'POST' : 'GET') {
      const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      return (await fetch(`${zoom.origin}/_emulator${path}`, { method, ...sent })).json()
    },
  }
}

interface NewHost {
  username: string
  email: string
  password: string
}

/** A host with a connected Zoom account, made as a master makes one; returns it with its token. */
export async function connectHost(server: { port: number }, zoom: OuterZoom, host: NewHost) {
  const master = await signInMaster(server)
  const return_url = `http://master.localhost:${server.port}/oauth-success`
  const query = new URLSearchParams({ email: host.email, return_url })
  const { auth_url } = (await http(server, 'GET', `/oauth/url?${query}`, { token: master })).body
  const request = /name="request" value="([^"]+)"/.exec(await (await fetch(auth_url)).text())?.[1] ?? ''
  const form = new URLSearchParams({ request, account: 'other', email: host.email, action: 'allow' })
  const consent = await fetch(`${zoom.origin}/oauth/consent`, { method: 'POST', redirect: 'manual', body: form })
  const { pathname, search } = new URL(consent.headers.get('location') ?? '')
  const callback = await fetch(`http://127.0.0.1:${server.port}${pathname}${search}`, { redirect: 'manual' })
  const oauth_result_id = new URL(callback.headers.get('location') ?? '').searchParams.get('oauth_result')
  const body = { ...host, oauth_result_id }
  const made = await http(server, 'POST', '/admin/hosts/integrate', { token: master, body })
  if (made.status !== 200) throw new Error(`No host could be made: ${JSON.stringify(made.body)}`)
  const { token } = (await http(server, 'POST', '/auth/host/login', { body: host })).body.data
  return { ...made.body.data, token }
}
