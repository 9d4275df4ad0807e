import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { addressGroup } from '../../lib/address-group.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, notSignedIn, signedInHost } from '../auth/guards.ts'
import { LIST_LIMIT } from './list-limit.ts'
import * as api from './phone-request-api.ts'
import { decidePhoneRequest, listPhoneRequests, readRequestState, requestPhoneChange } from './phone-requests.ts'

const message = 'Too many attempts. Please wait a moment and try again.'

/** The limit per account, with the right password. */
const REQUESTS = { name: 'phone requests', burst: 10, perSecond: 5 / 60, message }

/** The limit per IP address, which a hall of people may share. */
const LOOKS = { name: 'looks at phone requests', burst: 300, perSecond: 20, message }

export const phoneRequestRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const requests = new TokenBuckets(deps, REQUESTS)
    const looks = new TokenBuckets(deps, LOOKS)

    app.post('/mobile/phone-requests', { schema: api.requestPhoneChange }, async (request) => ({
      success: true as const,
      data: await requestPhoneChange(deps, notSignedIn(request), request.body, requests),
    }))

    app.get(
      '/mobile/phone-requests/:ticket',
      { schema: api.getPhoneRequest, config: { background: true } },
      async ({ params, ip }) => {
        looks.take(addressGroup(ip))
        const state = await deps.strangers.run(ip, () => readRequestState(deps, params.ticket))
        return { success: true as const, data: { state } }
      },
    )
  }

export const hostPhoneRequestRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get(
      '/host/phone-requests',
      { schema: api.listPhoneRequests, exposeHeadRoute: false, config: { background: true, ...LIST_LIMIT } },
      async (request) => {
        const requests = await listPhoneRequests(deps, signedInHost(request))
        return { success: true as const, data: { requests } }
      },
    )

    app.post('/host/phone-requests/:id/:decision', { schema: api.decidePhoneRequest }, async (request) => {
      const { id, decision } = request.params
      const userId = uuidOr404(id, 'Request not found')
      const expected = request.body?.expect?.requested_at
      await decidePhoneRequest(deps, signedInHost(request), userId, { decision, expected })
      return { success: true as const, message: decision === 'approve' ? 'Phone approved' : 'Phone refused' }
    })
  }
