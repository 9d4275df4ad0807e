import { type Emulator, type EmulatorOptions, startEmulator } from '../../emulator/app.ts'
import { http, signInMaster } from '../servers/server-process.ts'

export interface EmulatedZoom extends Emulator {
  /** Sends a control call to the emulator. */
  control(path: string, body?: object, method?: string): ReturnType<Response['json']>
}

const APP = { clientId: 'client', clientSecret: 'secret' }

/** Key and secret of a separate Meeting SDK app. */
export type SdkApp = Pick<EmulatorOptions, 'sdkKey' | 'sdkSecret'>

/** Starts the emulator without accounts, for a server with this public URL. */
export async function startZoom(publicUrl: string, now = Date.now, sdk: SdkApp = {}): Promise<EmulatedZoom> {
  const zoom = await startEmulator({
    ...APP,
    ...sdk,
    port: 0,
    hostname: '127.0.0.1',
    redirectUris: [`${publicUrl}/api/oauth/callback`],
    control: true,
    seed: [],
    options: { second_limits: false }, // tests call faster than Zoom allows
    now,
  })
  return {
    ...zoom,
    async control(path, body, method = body ? 'POST' : 'GET') {
      const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const answer = await fetch(`${zoom.origin}/_emulator${path}`, { method, ...sent })
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
      return answer.json()
    },
  }
}

/** Completes the consent page; returns the callback address. */
export async function consentAt(zoom: Emulator, authUrl: string, email: string, action = 'allow'): Promise<URL> {
  const request = /name="request" value="([^"]+)"/.exec(await (await fetch(authUrl)).text())?.[1] ?? ''
  const body = new URLSearchParams({ request, account: 'other', email, action })
  const answer = await fetch(`${zoom.origin}/oauth/consent`, { method: 'POST', redirect: 'manual', body })
  return new URL(answer.headers.get('location') ?? 'about:blank')
}

export interface ExternalZoom extends EmulatedZoom {
  /** The settings that connect a server process to it. */
  env: Record<string, string>
}

/** Starts the emulator for a server process that will listen on this port. */
export async function startZoomFor(port: number): Promise<ExternalZoom> {
  const PUBLIC_URL = `http://localhost:${port}`
  const zoom = await startZoom(PUBLIC_URL)
  return {
    ...zoom,
    env: {
      PORT: String(port),
      PUBLIC_URL,
      ZOOM_CLIENT_ID: APP.clientId,
      ZOOM_CLIENT_SECRET: APP.clientSecret,
      ZOOM_OAUTH_URL: zoom.oauthUrl,
      ZOOM_API_URL: zoom.apiUrl,
    },
  }
}

interface NewHost {
  username: string
  email: string
  password: string
}

/** Adds a host with a connected Zoom account as the master; returns it with its token. */
export async function connectHost(server: { port: number }, zoom: ExternalZoom, host: NewHost) {
  const master = await signInMaster(server)
  const return_url = `http://master.localhost:${server.port}/oauth-success`
  const query = new URLSearchParams({ email: host.email, return_url })
  const { auth_url } = (await http(server, 'GET', `/oauth/url?${query}`, { token: master })).body
  const { pathname, search } = await consentAt(zoom, auth_url, host.email)
  const callback = await fetch(`http://127.0.0.1:${server.port}${pathname}${search}`, { redirect: 'manual' })
  const oauth_result_id = new URL(callback.headers.get('location') ?? '').searchParams.get('oauth_result')
  const body = { ...host, oauth_result_id }
  const made = await http(server, 'POST', '/admin/hosts/integrate', { token: master, body })
  if (made.status !== 200) throw new Error(`No host could be made: ${JSON.stringify(made.body)}`)
  const { token } = (await http(server, 'POST', '/auth/host/login', { body: host })).body.data
  return { ...made.body.data, token }
}
