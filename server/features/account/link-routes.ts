import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { siteOf } from '../../lib/sites.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, notSignedIn, signedInMaster } from '../auth/guards.ts'
import { TOO_MANY_ATTEMPTS } from '../auth/too-many-attempts.ts'
import * as api from './link-api.ts'
import { makeHostResetLink } from './reset-links.ts'
import { lookAtLink, useLink } from './use-link.ts'

/** The limit per valid link and IP address. Wrong links are limited as wrong passwords are. */
const VIEWS = { name: 'account link views', burst: 60, perSecond: 1, message: TOO_MANY_ATTEMPTS }
/** The limit per valid link, of which a refused password uses none up. */
const USES = { name: 'account link uses', burst: 20, perSecond: 0.1, message: TOO_MANY_ATTEMPTS }

export const accountLinkRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const views = new TokenBuckets(deps, VIEWS)
    const uses = new TokenBuckets(deps, USES)

    app.post('/auth/links/look', { schema: api.lookAtLink }, async (request) => {
      const site = siteOf(deps.config, request.headers.host)
      const data = await lookAtLink(deps, notSignedIn(request), request.body.token, { views, site })
      return { success: true as const, data }
    })

    app.post('/auth/links/use', { schema: api.useLink }, async (request) => {
      const site = siteOf(deps.config, request.headers.host)
      await useLink(deps, notSignedIn(request), request.body, { uses, site })
      return api.LINK_USED
    })
  }

export const masterResetLinkRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.post(
      '/admin/hosts/:id/reset-link',
      {
        schema: api.makeHostResetLink,
        config: {
          needsConfirmation: true,
          keepsNoAnswer: true,
          rateLimit: { max: 60 },
          tooMany: 'Too many links were made. Please wait a moment and try again.',
        },
      },
      async (request) => {
        const id = uuidOr404(request.params.id, 'Host not found')
        const { url, expires_at, mailed } = await makeHostResetLink(deps, signedInMaster(request), id, {
          removes_second_factor: request.body?.remove_second_factor ?? false,
          sends_mail: request.body?.send_mail ?? false,
        })
        return { success: true as const, data: { url, expires_at: expires_at.toISOString(), mailed } }
      },
    )
  }
