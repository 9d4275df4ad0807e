import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, notSignedIn, signedInHost } from '../auth/guards.ts'
import { LIST_LIMIT } from './list-limit.ts'
import { LINK_NOT_OPEN, listOpenSignInLinks, revokeSignInLink } from './open-sign-in-links.ts'
import { REFUSED_LOGIN_LIMIT } from './phone-login.ts'
import { phoneView } from './phone-view.ts'
import * as api from './sign-in-link-api.ts'
import { findLinkOwner, loginPhoneByLink, makeSignInLink } from './sign-in-links.ts'

/** The limit per user with an open link, and IP address. Wrong links are limited as wrong passwords are. */
const LINK_VIEWS = {
  name: 'link views',
  burst: 60,
  perSecond: 1,
  message: 'Too many requests. Please wait a moment and try again.',
}

export const linkLoginRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const refusals = new TokenBuckets(deps, { ...REFUSED_LOGIN_LIMIT, name: 'refused links' })
    const views = new TokenBuckets(deps, LINK_VIEWS)

    app.post('/mobile/link-owner', { schema: api.findLinkOwner }, async (request) => {
      return { success: true as const, data: await findLinkOwner(deps, notSignedIn(request), request.body, views) }
    })

    app.post('/mobile/link-login', { schema: api.loginPhoneByLink }, async (request) => {
      const by = notSignedIn(request)
      const { token, device_secret, ...owner } = await deps.metrics.signIn('phone', () =>
        loginPhoneByLink(deps, by, request.body, refusals),
      )
      const view = await phoneView(deps, owner)
      return { success: true as const, data: { token, ...(device_secret && { device_secret }), ...view } }
    })
  }

export const hostSignInLinkRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.post(
      '/host/users/:id/sign-in-link',
      {
        schema: api.makeSignInLink,
        config: {
          keepsNoAnswer: true,
          rateLimit: { max: 60 },
          tooMany: 'Too many links were made. Please wait a moment and try again.',
        },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'User not found')
        return { success: true as const, data: await makeSignInLink(deps, signedInHost(request), id) }
      },
    )

    app.get(
      '/host/sign-in-links',
      { schema: api.listOpenSignInLinks, exposeHeadRoute: false, config: { background: true, ...LIST_LIMIT } },
      async (request) => {
        const links = await listOpenSignInLinks(deps, signedInHost(request))
        return { success: true as const, data: { links } }
      },
    )

    app.delete('/host/users/:id/sign-in-link', { schema: api.revokeSignInLink }, async (request) => {
      await revokeSignInLink(deps, signedInHost(request), uuidOr404(request.params.id, LINK_NOT_OPEN))
      return { success: true as const, message: 'Link revoked' }
    })
  }
