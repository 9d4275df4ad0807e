import type { Logger } from 'pino'
import { afterAll, beforeEach } from 'vitest'
import type { Config } from '../../server/config.ts'
import { RecordingsAnswer } from '../../shared/recordings.ts'
import { buildMaster, call, openSession, PASSWORD, type TestHost } from '../factories/accounts.ts'
import { startTestApp, type TestServer } from '../servers/start.ts'
import { consentAt, type EmulatedZoom, type SdkApp, startZoom } from './zoom-over-http.ts'

export interface ZoomServer extends TestServer {
  zoom: EmulatedZoom
  control: EmulatedZoom['control']
}

interface Options {
  now?: () => number
  config?: Partial<Config>
  sdk?: SdkApp
  log?: Logger
}

/** Starts the test server with the real emulator as its Zoom, on one clock. */
export async function startZoomServer({
  now = Date.now,
  config = {},
  sdk = {},
  log,
}: Options = {}): Promise<ZoomServer> {
  const zoom = await startZoom('http://localhost:3000', now, sdk)
  const server = await startTestApp({
    now,
    config: { ZOOM_OAUTH_URL: zoom.oauthUrl, ZOOM_API_URL: zoom.apiUrl, ...config },
    ...(log && { log }),
  })
  return {
    ...server,
    zoom,
    control: zoom.control,
    async close() {
      await server.close()
      await zoom.close()
    },
  }
}

/** Shares one server among all tests of a file; empties database and emulator before each. */
export async function setupWithZoom(options: Options = {}): Promise<ZoomServer> {
  const server = await startZoomServer(options)
  afterAll(() => server.close())
  beforeEach(async () => {
    server.zoom.reset()
    await server.truncate()
  })
  return server
}

interface Consent {
  return_url?: string
  host_id?: string
  as?: { token: string }
  /** The Zoom account that consents; default: the requested one. */
  zoomEmail?: string
  action?: 'allow' | 'deny'
}

/** Completes Zoom's consent page like a popup; returns the final address. */
export async function consent(
  server: ZoomServer,
  email: string,
  {
    return_url = 'http://master.localhost:3000/oauth-success',
    host_id,
    as,
    zoomEmail = email,
    action = 'allow',
  }: Consent = {},
): Promise<URL> {
  const back = await consentCallback(server, email, {
    return_url,
    zoomEmail,
    action,
    ...(host_id && { host_id }),
    as: as ?? (await buildMaster(server)),
  })
  return followCallback(server, back)
}

/** Stops at the callback address to which Zoom redirects. */
export async function consentCallback(server: ZoomServer, email: string, asked: Consent): Promise<URL> {
  const { return_url = '', host_id, as, zoomEmail = email, action = 'allow' } = asked
  const query = new URLSearchParams({ email, return_url, ...(host_id && { host_id }) })
  const begun = await call(server, 'GET', `/oauth/url?${query}`, { as: as ?? null })
  if (begun.status !== 200) throw new Error(`No address to consent at: ${JSON.stringify(begun.body)}`)
  return consentAt(server.zoom, begun.body.auth_url, zoomEmail, action)
}

export async function followCallback(server: ZoomServer, { pathname, search }: URL): Promise<URL> {
  const answer = await server.app.inject({ url: `${pathname}${search}`, headers: { host: 'localhost:3000' } })
  return new URL(answer.headers.location ?? 'about:blank')
}

let count = 0

/** Adds a host with its own connected Zoom account and its room's meeting. */
export async function buildZoomHost(server: ZoomServer, fields: Record<string, unknown> = {}): Promise<TestHost> {
  const master = await buildMaster(server)
  const name = `zoomhost${++count}`
  const email = `${name}@example.com`
  const end = await consent(server, email, { as: master })
  const made = await call(server, 'POST', '/admin/hosts/integrate', {
    as: master,
    body: {
      username: name,
      email,
      password: PASSWORD,
      subscription_type: 12,
      oauth_result_id: end.searchParams.get('oauth_result'),
      ...fields,
    },
  })
  if (made.status !== 200) throw new Error(`No host could be made: ${JSON.stringify(made.body)} ${end}`)
  return { ...made.body.data, token: await openSession(server, made.body.data.id) }
}

/** Adds a recording to the host's Zoom account without an event; returns its UUID. */
export async function putRecording(server: ZoomServer, host: TestHost, start_time: string, more: object = {}) {
  const body = { email: host.email, start_time, duration_minutes: 42, notify: false, ...more }
  const { recording } = await server.control('/recordings', body)
  return (recording as { uuid: string }).uuid
}

export async function listRecordings(server: ZoomServer, as: TestHost, query = 'fetch_live=true&fetch_all=true') {
  const { status, body } = await call(server, 'GET', `/recordings?${query}`, { as })
  if (status !== 200) throw new Error(`The recordings were refused: ${JSON.stringify(body)}`)
  return RecordingsAnswer.parse(body).data
}
