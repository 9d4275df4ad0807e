import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { utcDay } from '../../../shared/dates.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { limitAuditReads } from '../audit/export-limit.ts'
import { allow, sessionIdOf, signedInMaster } from '../auth/guards.ts'
import * as api from './api.ts'
import { countSold, listRenewals, renewalsCsv } from './renewals.ts'

const LIMIT = limitAuditReads(120, sessionIdOf)

export const renewalRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get(
      '/admin/renewals',
      { schema: api.listRenewals, exposeHeadRoute: false, config: LIMIT },
      async (request, reply) => {
        const { days, format } = request.query
        if (format === 'csv')
          await audit(deps, deps.db, signedInMaster(request), { action: 'renewals_exported', after: { days } })
        const hosts = await listRenewals(deps, days)
        if (format !== 'csv') return { success: true as const, data: { hosts } }
        return reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', `attachment; filename="renewals-${utcDay(deps.now())}.csv"`)
          .send(renewalsCsv(hosts))
      },
    )

    app.get(
      '/admin/renewals/sold',
      { schema: api.countSold, exposeHeadRoute: false, config: { rateLimit: { max: 120 } } },
      async ({ query }) => ({ success: true as const, data: { months: await countSold(deps, query.months) } }),
    )
  }
