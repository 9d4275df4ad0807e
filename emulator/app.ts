import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { controlRoutes } from './control/control.ts'
import { scheduleProcessing } from './life/recording-life.ts'
import { participantRoutes } from './media/participants.ts'
import { sdkFileRoutes } from './media/sdk-files.ts'
import { Sound } from './media/sound.ts'
import { meetingPages } from './pages/meeting-pages.ts'
import { html, sendPage } from './pages/page.ts'
import { zoomAppPage } from './pages/zoom-app-page.ts'
import { parseJsonBody, sendZoomError } from './rest.ts'
import { applyFault } from './routes/faults.ts'
import { downloadRoutes, fileHostRoutes } from './routes/files.ts'
import { liveMeetingRoutes } from './routes/live-meetings.ts'
import { meetingRoutes } from './routes/meetings.ts'
import { oauthRoutes } from './routes/oauth.ts'
import { recordingRoutes } from './routes/recordings.ts'
import { sdkRoutes } from './routes/sdk-join.ts'
import { userRoutes } from './routes/users.ts'
import type { ZoomBehaviour } from './state/options.ts'
import { demoAccounts, type SeedAccount } from './state/seed.ts'
import { openStateFile } from './state/state-file.ts'
import { Zoom } from './state/zoom.ts'

export type EmulatorOptions = {
  port: number // 0 picks a free one
  bind?: string
  hostname?: string // used in the addresses that it returns
  clientId: string
  clientSecret: string
  sdkKey?: string | undefined
  sdkSecret?: string | undefined
  redirectUris: string[]
  webhookUrl?: string
  webhookSecret?: string // without it no webhooks are sent
  stateFile?: string
  control: boolean
  seed?: SeedAccount[]
  options?: Partial<ZoomBehaviour>
  now?: () => number
}

export type Emulator = {
  origin: string
  fileOrigin: string
  oauthUrl: string
  apiUrl: string
  reset(): void
  close(): Promise<void>
}

/** Serves site and API on one port and the file host on another, so that a redirect crosses origins. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { bind = '127.0.0.1', hostname = 'localhost' } = options
  const file = openStateFile(options.stateFile)
  const zoom = new Zoom(
    { ...options, seed: options.seed ?? demoAccounts, now: options.now ?? Date.now, onChange: file.save },
    file.load(),
  )

  const sound = new Sound(zoom, bind)
  const site = siteApp(zoom, sound, options.control)
  const files = fileApp(zoom)
  await site.listen({ port: options.port, host: bind })
  await files.listen({ port: 0, host: bind })
  zoom.origin = `http://${hostname}:${portOf(site)}`
  zoom.fileOrigin = `http://${hostname}:${portOf(files)}`
  for (const meeting of zoom.state.meetings) meeting.sitting = null // all connections were lost in the restart
  for (const recording of zoom.state.recordings) scheduleProcessing(zoom, recording)

  return {
    origin: zoom.origin,
    fileOrigin: zoom.fileOrigin,
    oauthUrl: zoom.origin,
    apiUrl: `${zoom.origin}/v2`,
    reset: () => zoom.reset(),
    async close() {
      zoom.stop()
      sound.close()
      await Promise.all([site.close(), files.close()])
      file.flush(zoom.state)
    },
  }
}

function siteApp(zoom: Zoom, sound: Sound, control: boolean) {
  const app = newApp(zoom)
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-zm-trackingid', `v=2.0;clid=us04;rid=WEB_${randomUUID().replaceAll('-', '')}`)
  })
  app.addHook('onResponse', async (request) => {
    if (request.method !== 'GET') zoom.changed()
  })

  app.get('/', async (_request, reply) => sendPage(reply, 'Demo Zoom', aboutPage(control)))
  app.register(oauthRoutes(zoom))
  app.register(downloadRoutes(zoom))
  app.register(sdkRoutes(zoom, sound))
  app.register(participantRoutes(zoom, sound))
  app.register(sdkFileRoutes)
  app.register(meetingPages(zoom))
  app.register(zoomAppPage(zoom))
  for (const routes of [userRoutes, meetingRoutes, liveMeetingRoutes, recordingRoutes]) {
    app.register(routes(zoom), { prefix: '/v2' })
  }
  if (control) app.register(controlRoutes(zoom, sound), { prefix: '/_emulator' })
  return app
}

function fileApp(zoom: Zoom) {
  const app = newApp(zoom)
  app.register(fileHostRoutes(zoom))
  return app
}

/** Replaces Fastify's compilers, which load slowly: no route here has a schema. */
const NO_SCHEMAS = () => () => {
  throw new Error('Routes have no schemas here')
}

function newApp(zoom: Zoom): FastifyInstance {
  // A doubly encoded UUID is longer than the router takes by default.
  const app = Fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
    schemaController: { compilersFactory: { buildValidator: NO_SCHEMAS, buildSerializer: NO_SCHEMAS } },
  })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    parseJsonBody(body),
  )
  app.setErrorHandler(sendZoomError)
  app.setNotFoundHandler(async (request, reply) => {
    // Recorded so that tests can fail on it: either the emulator lacks the call, or the caller is wrong.
    const { unknownPaths } = zoom.memory
    if (request.url !== '/favicon.ico') unknownPaths.push(`${request.method} ${request.url}`)
    if (unknownPaths.length > 1_000) unknownPaths.shift()
    return reply.code(404).send({ code: 2300, message: 'This API endpoint is not recognized.' })
  })
  app.addHook('preHandler', (request, reply) => applyFault(zoom, request, reply))
  return app
}

function aboutPage(control: boolean) {
  return html`
<h1>Demo Zoom</h1>
<p>This program speaks the part of Zoom's API that the app beside it uses: sign-in and consent, meetings, cloud
recordings and webhooks. It keeps its own make-believe accounts, and never calls Zoom.</p>
${control ? html`<p><a href="/_emulator/">What it holds now</a></p>` : ''}`
}

function portOf(app: FastifyInstance) {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The emulator is not listening on a port.')
  return address.port
}
