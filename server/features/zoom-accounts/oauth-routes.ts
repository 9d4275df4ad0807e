import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { host, ID, OAUTH_RESULT } from '../../../shared/examples.ts'
import { OAuthResultAnswer, OAuthUrlAnswer, OAuthUrlQuery } from '../../../shared/oauth.ts'
import type { Deps } from '../../deps.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, signedInMaster } from '../auth/guards.ts'
import { finishOAuth } from './oauth-callback.ts'
import { findResult } from './oauth-results.ts'
import { beginOAuth } from './oauth-states.ts'

const ResultId = z.object({ id: z.string().max(128) })
/** Treats an invalid parameter as absent, because anyone can call with anything. */
const parameter = z.string().max(4096).optional().catch(undefined)
const Callback = z.object({
  code: parameter,
  state: parameter,
  error: parameter.describe('In place of `code` if consent was denied.'),
})

const Redirect = z.undefined().meta({
  description: 'To the `return_url` of the attempt with its result, or to `/oauth-error`.',
  headers: {
    Location: {
      type: 'string',
      format: 'uri',
      examples: [`http://master.localhost:3000/oauth-success?oauth_result=${OAUTH_RESULT}`],
    },
  },
})

const tags = ['Zoom accounts']

export const oauthMasterRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get(
      '/oauth/url',
      {
        schema: {
          tags,
          operationId: 'beginZoomConsent',
          summary: "Get the URL of Zoom's consent page",
          description: 'Starts one attempt to connect. It is valid for 10 minutes and ends at `return_url`.',
          querystring: withExample(OAuthUrlQuery, {
            email: host.email,
            return_url: 'http://master.localhost:3000/oauth-success',
            host_id: ID.host,
          }),
          response: {
            200: withExample(OAuthUrlAnswer, {
              success: true,
              auth_url: 'https://zoom.us/oauth/authorize?response_type=code&client_id=...',
              oauth_result_id: OAUTH_RESULT,
            }),
          },
          failures: ['not_found'],
        },
        config: {
          rateLimit: { max: 30 },
          tooMany: 'Too many attempts to connect Zoom. Please wait a moment and try again.',
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const { master_id } = signedInMaster(request)
        const begun = await beginOAuth(deps, master_id, request.query)
        return { success: true as const, ...begun }
      },
    )

    app.get(
      '/oauth/results/:id',
      {
        schema: {
          tags,
          operationId: 'getZoomConsent',
          summary: 'Get the result of a consent',
          description: 'For the master who began it, without claiming it. It is kept for 10 minutes.',
          params: withExample(ResultId, { id: OAUTH_RESULT }),
          response: {
            200: withExample(OAuthResultAnswer, {
              success: true,
              data: { status: 'success', user_email: host.email },
            }),
          },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const { email, host_id } = await findResult(deps, signedInMaster(request).master_id, request.params.id)
        const data = {
          user_email: email,
          ...(host_id ? { status: 'integrated' as const, host_id } : { status: 'success' as const }),
        }
        return { success: true as const, data }
      },
    )
  }

/** Zoom redirects the browser to this route. */
export const oauthCallbackRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')

    app.get(
      '/oauth/callback',
      {
        schema: {
          tags,
          operationId: 'finishZoomConsent',
          summary: 'Return from the consent page',
          description: 'Zoom sends the browser here. The answer is always a redirect to a page of this installation.',
          callers: 'a browser that comes from Zoom',
          querystring: withExample(Callback, {
            code: 'obBEe8ewaL_KdYKjnimT4KPd8KKdQt9FQ',
            state: 'f3QmZ0yT7cJv1bXn5rWk2A',
            error: 'access_denied',
          }),
          response: { 303: Redirect },
        },
      },
      async (request, reply) => {
        const next = await finishOAuth(deps, request.query, request.ip)
        return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(next, 303)
      },
    )
  }
