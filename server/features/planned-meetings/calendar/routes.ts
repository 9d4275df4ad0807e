import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { addressGroup } from '../../../lib/address-group.ts'
import { TokenBuckets } from '../../../lib/token-bucket.ts'
import { allow, signedInHost } from '../../auth/guards.ts'
import * as api from './api.ts'
import { makeCalendarLink, readCalendar, removeCalendarLink } from './calendar-links.ts'

/** The limit per IP address: a calendar on the web reads those of many rooms from one. */
const READS = {
  name: 'calendar reads',
  burst: 120,
  perSecond: 2,
  message: 'Too many requests. Please wait a moment and try again.',
}

/** The token in the URL replaces a session, which calendar programs do not have. */
export const calendarRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const reads = new TokenBuckets(deps, READS)

    app.get(
      '/calendar/:token.ics',
      { schema: api.readCalendar, config: { background: true } },
      async ({ params, ip }, reply) => {
        reads.take(addressGroup(ip))
        const text = await deps.strangers.run(ip, () => readCalendar(deps, params.token))
        if (text === null) throw notFound('Calendar')
        return reply.type('text/calendar; charset=utf-8').send(text)
      },
    )
  }

export const calendarLinkRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.post(
      '/host/calendar-link',
      {
        schema: api.makeCalendarLink,
        config: {
          keepsNoAnswer: true,
          rateLimit: { max: 20 },
          tooMany: 'Too many links were made. Please wait a moment and try again.',
        },
      },
      async (request) => ({
        success: true as const,
        data: { url: await makeCalendarLink(deps, signedInHost(request)) },
      }),
    )

    app.delete('/host/calendar-link', { schema: api.removeCalendarLink }, async (request) => {
      await removeCalendarLink(deps, signedInHost(request))
      return { success: true as const, message: 'Calendar link removed' }
    })
  }
