import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { host, ID, OAUTH_RESULT } from '../../../shared/examples.ts'
import { OAuthResultAnswer, OAuthUrlAnswer, OAuthUrlQuery } from '../../../shared/oauth.ts'
import { withExample } from '../../lib/with-example.ts'

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
const PLAIN_TOKEN = 'qgg8vlvZRS6UYooatFL8Aw'
const Event = withExample(
  z.looseObject({ event: z.string(), event_ts: z.number().optional(), payload: z.looseObject({}) }),
  { event: 'endpoint.url_validation', event_ts: 1_795_262_400_000, payload: { plainToken: PLAIN_TOKEN } },
)
const Answer = withExample(
  z.union([z.object({ success: z.literal(true) }), z.object({ plainToken: z.string(), encryptedToken: z.string() })]),
  {
    plainToken: PLAIN_TOKEN,
    encryptedToken: '23a89b634c017e5364a1c8d9c8ea909b60dd5599e2bb04bb1558d9c3a121faa5',
  },
)

export const beginZoomConsent = {
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
} satisfies FastifySchema

export const getZoomConsent = {
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
} satisfies FastifySchema

export const finishZoomConsent = {
  tags,
  operationId: 'finishZoomConsent',
  summary: 'Return from the consent page',
  description:
    'Zoom sends the browser here. The answer is a redirect to a page of this installation, unless the server is `busy`.',
  callers: 'a browser that comes from Zoom',
  querystring: withExample(Callback, {
    code: 'obBEe8ewaL_KdYKjnimT4KPd8KKdQt9FQ',
    state: 'f3QmZ0yT7cJv1bXn5rWk2A',
    error: 'access_denied',
  }),
  response: { 303: Redirect },
  failures: ['busy'],
} satisfies FastifySchema

export const receiveZoomEvent = {
  tags: ['Zoom accounts'],
  operationId: 'receiveZoomEvent',
  summary: "Receive one of Zoom's events",
  description:
    'Only for Zoom: the body must be signed (`x-zm-signature`, `x-zm-request-timestamp`). Answered at once and ' +
    'processed afterwards; repeats and wrong order do no harm. `endpoint.url_validation` is answered with the two ' +
    'tokens.',
  callers: 'Zoom, by its signature',
  body: Event,
  response: { 200: Answer },
  failures: ['bad_signature', 'not_found', 'busy'],
} satisfies FastifySchema
