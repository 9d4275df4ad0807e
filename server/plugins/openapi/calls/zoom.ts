import { z } from 'zod'
import type { Calls } from '../call.ts'
import { ID } from '../examples.ts'

export const zoomCalls: Calls = {
  'GET /oauth/url': {
    tag: 'Zoom accounts',
    name: 'beginZoomConsent',
    summary: "Get the address of Zoom's consent page",
    description: 'Begins one try at connecting. It is good for 10 minutes and ends at `return_url`.',
    parameters: {
      email: { example: 'choir@stmary.example', description: 'Whose Zoom account is expected to consent.' },
      return_url: {
        example: 'http://master.localhost:3000/oauth-success',
        description: 'A page of one of the three sites of this installation.',
      },
      host_id: { example: ID.host, description: 'The host to connect; left out while it is being made.' },
    },
    answer: {
      success: true,
      auth_url: 'https://zoom.us/oauth/authorize?response_type=code&client_id=...',
      oauth_result_id: 'Kq3v0yQm1cJt8bXn5rWz2A',
    },
    failures: ['not_found', 'too_many'],
  },
  'GET /oauth/results/:id': {
    tag: 'Zoom accounts',
    name: 'getZoomConsent',
    summary: 'Ask what came of a consent',
    description: 'For the master who began it, without claiming it. It lives for 10 minutes.',
    parameters: { id: { example: 'Kq3v0yQm1cJt8bXn5rWz2A' } },
    answer: { success: true, data: { status: 'success', user_email: 'choir@stmary.example' } },
  },
  'GET /oauth/callback': {
    tag: 'Zoom accounts',
    name: 'finishZoomConsent',
    who: 'a browser that comes from Zoom',
    summary: 'Come back from the consent page',
    description:
      'Where Zoom sends the browser. Whatever arrives, the answer is a redirect to a page of this installation.',
    parameters: {
      code: { example: 'obBEe8ewaL_KdYKjnimT4KPd8KKdQt9FQ' },
      state: { example: 'f3QmZ0yT7cJv1bXn5rWk2A' },
      error: { example: 'access_denied', description: 'In place of `code`, where consent was denied.' },
    },
    special: {
      status: 303,
      description: 'To the `return_url` of the try, with its result, or to `/oauth-error`.',
      location: 'http://master.localhost:3000/oauth-success?oauth_result=Kq3v0yQm1cJt8bXn5rWz2A',
    },
  },
  'POST /zoom/webhooks': {
    tag: 'Zoom accounts',
    name: 'receiveZoomEvent',
    who: 'Zoom, by its signature',
    summary: "Take one of Zoom's events",
    description:
      'Only for Zoom: the body must be signed (`x-zm-signature`, `x-zm-request-timestamp`). Answered at once and worked ' +
      'on afterwards; repeats and wrong order do no harm. `endpoint.url_validation` is answered with the two tokens.',
    body: {
      event: 'endpoint.url_validation',
      event_ts: 1_795_262_400_000,
      payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' },
    },
    answer: {
      plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
      encryptedToken: '23a89b634c017e5364a1c8d9c8ea909b60dd5599e2bb04bb1558d9c3a121faa5',
    },
    failures: ['bad_signature', 'not_found'],
    schemas: {
      body: z.looseObject({ event: z.string(), event_ts: z.number().optional(), payload: z.looseObject({}) }),
      answer: z.union([
        z.object({ success: z.literal(true) }),
        z.object({ plainToken: z.string(), encryptedToken: z.string() }),
      ]),
    },
  },
}
