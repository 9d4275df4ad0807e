import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { addressGroup } from '../../../lib/address-group.ts'
import { TokenBuckets } from '../../../lib/token-bucket.ts'
import { uuidOr404 } from '../../../lib/uuid.ts'
import { allow, signedInHost } from '../../auth/guards.ts'
import * as api from './api.ts'
import { endReportLink, listReportLinks, makeReportLink } from './report-links.ts'
import { SharedReports } from './shared-reports.ts'

/** The limit per IP address: several readers may share one. */
const READS = {
  name: 'shared report reads',
  burst: 60,
  perSecond: 1,
  message: 'Too many requests. Please wait a moment and try again.',
}

/** The token replaces a session, which readers of a report do not have. */
export const sharedReportRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'public')
    const reads = new TokenBuckets(deps, READS)
    const reports = new SharedReports(deps)

    app.post('/shared-report', { schema: api.openReportLink }, async ({ body, ip }) => {
      reads.take(addressGroup(ip))
      const data = await reports.read(ip, body.token)
      if (data === null) throw new AppError('link_invalid', 'This link does not work, or has ended.')
      return { success: true as const, data }
    })
  }

export const reportLinkRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get(
      '/host/meetings/:id/links',
      { schema: api.listReportLinks, exposeHeadRoute: false, config: { rateLimit: { max: 120 } } },
      async (request) => ({
        success: true as const,
        data: { links: await listReportLinks(deps, signedInHost(request), request.params.id) },
      }),
    )

    app.post(
      '/host/meetings/:id/links',
      {
        schema: api.makeReportLink,
        config: {
          keepsNoAnswer: true,
          rateLimit: { max: 20 },
          tooMany: 'Too many links were made. Please wait a moment and try again.',
        },
      },
      async (request) => ({
        success: true as const,
        data: await makeReportLink(deps, signedInHost(request), request.params.id, request.body),
      }),
    )

    app.delete('/host/report-links/:id', { schema: api.endReportLink }, async (request) => {
      await endReportLink(deps, signedInHost(request), uuidOr404(request.params.id, 'Link not found'))
      return { success: true as const, message: 'The link has ended' }
    })
  }
