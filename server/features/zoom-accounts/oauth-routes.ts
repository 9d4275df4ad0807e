import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { allow, notSignedIn, signedInMaster } from '../auth/guards.ts'
import * as api from './api.ts'
import { finishOAuth } from './oauth-callback.ts'
import { findResult } from './oauth-results.ts'
import { beginOAuth } from './oauth-states.ts'

export const oauthMasterRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get(
      '/oauth/url',
      {
        schema: api.beginZoomConsent,
        config: {
          rateLimit: { max: 30 },
          tooMany: 'Too many attempts to connect Zoom. Please wait a moment and try again.',
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const begun = await beginOAuth(deps, signedInMaster(request), request.query)
        return { success: true as const, ...begun }
      },
    )

    app.get('/oauth/results/:id', { schema: api.getZoomConsent }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { email, host_id } = await findResult(deps, signedInMaster(request), request.params.id)
      const data = {
        user_email: email,
        ...(host_id ? { status: 'integrated' as const, host_id } : { status: 'success' as const }),
      }
      return { success: true as const, data }
    })
  }

/** Zoom redirects the browser to this route. */
export const oauthCallbackRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')

    app.get('/oauth/callback', { schema: api.finishZoomConsent }, async (request, reply) => {
      const next = await finishOAuth(deps, notSignedIn(request), request.query)
      return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(next, 303)
    })
  }
