import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { deauthorize } from '../life/deauthorize.ts'
import { dispatch, releaseWebhooks, settleWebhooks, validateEndpoint } from '../life/webhooks.ts'
import type { Sound } from '../media/sound.ts'
import { sendStatePage } from '../pages/state-page.ts'
import { NewFault } from '../state/memory.ts'
import { ZoomBehaviour } from '../state/options.ts'
import { addAccount, changeAccount } from '../state/seed.ts'
import { AccountSettings } from '../state/state.ts'
import { expireTokens } from '../state/tokens.ts'
import type { Zoom } from '../state/zoom.ts'
import { NotFoundError, sendControlError } from './control-errors.ts'
import { controlMeetingRoutes } from './control-meetings.ts'
import { controlRecordingRoutes } from './control-recordings.ts'

const AccountChange = z.strictObject({
  email: z.email(),
  display_name: z.string().min(1).optional(),
  account_id: z.string().min(1).optional(), // shared by the users of one company
  type: z.union([z.literal(1), z.literal(2)]).optional(),
  pmi: z.int().nullable().optional(),
  timezone: z.string().optional(),
  settings: AccountSettings.partial().strict().optional(),
})

const Whose = z.strictObject({ email: z.email() })
const Deauthorize = Whose.extend({ user_data_retention: z.enum(['true', 'false']).optional() })
const Expire = Whose.extend({ refresh: z.boolean().default(false) })
const Advance = z.strictObject({ advance_seconds: z.number().min(0) })
const Endpoint = z.strictObject({ url: z.url(), secret: z.string().min(1).optional() })
const Release = z.strictObject({ order: z.enum(['sent', 'reversed', 'shuffled']).default('sent') })
const AnyMessage = z.looseObject({ event: z.string() })

export function controlRoutes(zoom: Zoom, sound: Sound) {
  return async (app: FastifyInstance) => {
    app.addHook('onRequest', requireLocal(zoom))
    app.setErrorHandler(sendControlError)

    app.get('/', async (_request, reply) => sendStatePage(zoom, reply))
    app.get('/state', async () => everything(zoom))
    app.get('/sound', async () => ({ participants: sound.list() }))

    app.post('/reset', async () => {
      zoom.reset()
      return {}
    })

    app.post('/accounts', async (request) => {
      const { display_name, ...change } = AccountChange.parse(request.body)
      const known = zoom.accountByEmail(change.email)
      if (known) changeAccount(zoom.state, known, { ...change, ...(display_name ? { display_name } : {}) })
      const account =
        known ?? addAccount(zoom.state, { ...change, display_name: display_name ?? change.email }, zoom.now())
      return { account }
    })

    app.post('/tokens/expire', async (request) => {
      const { email, refresh } = Expire.parse(request.body)
      expireTokens(zoom, accountOf(zoom, email), refresh)
      return {}
    })

    app.post('/deauthorize', async (request) => {
      const { email, user_data_retention } = Deauthorize.parse(request.body)
      deauthorize(zoom, accountOf(zoom, email), user_data_retention)
      return {}
    })

    app.post('/options', async (request) => {
      zoom.options = ZoomBehaviour.parse({ ...zoom.options, ...z.record(z.string(), z.unknown()).parse(request.body) })
      return { options: zoom.options }
    })

    app.post('/clock', async (request) => {
      zoom.advance(Advance.parse(request.body).advance_seconds * 1000)
      return { now: new Date(zoom.now()).toISOString() }
    })

    app.get('/faults', async () => ({ faults: zoom.memory.faults }))
    app.post('/faults', async (request) => {
      const fault = { ...NewFault.parse(request.body), id: ++zoom.state.serial, hits: 0 }
      zoom.memory.faults.push(fault)
      return { fault }
    })
    app.delete('/faults', async () => {
      zoom.memory.faults = []
      return {}
    })

    app.get('/webhooks', async () => ({ deliveries: zoom.memory.deliveries }))
    app.post('/webhooks', async (request) => {
      const message = AnyMessage.parse(request.body)
      dispatch(zoom, message.event, message)
      return {}
    })
    app.post('/webhooks/settle', async () => {
      await settleWebhooks(zoom)
      return { deliveries: zoom.memory.deliveries }
    })
    app.post('/webhooks/release', async (request) => {
      await releaseWebhooks(zoom, Release.parse(request.body ?? {}).order)
      return { deliveries: zoom.memory.deliveries }
    })
    app.post('/webhooks/endpoint', async (request) => {
      const { url, secret = zoom.endpoint.secret } = Endpoint.parse(request.body)
      zoom.endpoint = { url, secret }
      return validateEndpoint(zoom)
    })

    app.register(controlMeetingRoutes(zoom))
    app.register(controlRecordingRoutes(zoom, accountOf))
  }
}

function accountOf(zoom: Zoom, email: string) {
  const account = zoom.accountByEmail(email)
  if (!account) throw new NotFoundError(`There is no account ${email}.`)
  return account
}

function everything(zoom: Zoom) {
  const { accounts, meetings, recordings } = zoom.state
  const { faults, unknownPaths, leakedTokens, rateLimited, mails } = zoom.memory
  return {
    now: new Date(zoom.now()).toISOString(),
    options: zoom.options,
    accounts,
    meetings,
    recordings,
    faults,
    unknown_paths: unknownPaths, // calls that the emulator does not implement
    leaked_tokens: leakedTokens, // bearer tokens that were sent to the file host
    rate_limited: rateLimited, // number of refused calls
    mails, // mails that Zoom would send to hosts
  }
}

/**
 * The controls are all-powerful, so they only serve local programs, and no web pages. A page whose domain resolves to
 * this machine (DNS rebinding) sends no Origin when it reads, but its domain as the Host.
 */
function requireLocal(zoom: Zoom) {
  return async ({ ip, hostname, headers }: FastifyRequest, reply: FastifyReply) => {
    const isLocal = /^(::ffff:)?127\.|^::1$/.test(ip)
    const isOurs = ['localhost', '127.0.0.1', '[::1]', new URL(zoom.origin).hostname].includes(hostname)
    if (!isLocal || !isOurs || headers.origin !== undefined)
      return reply.code(403).send({ error: 'Only from this machine.' })
  }
}
