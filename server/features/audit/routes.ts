import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AuditAnswer, type AuditEntry, AuditQuery, HostAuditQuery } from '../../../shared/audit.ts'
import { audit, byHost, byMaster } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { allow, signedInHost, signedInMaster } from '../auth/guards.ts'
import { sendAuditCsv } from './audit-csv.ts'
import { readAudit } from './read-audit.ts'

export const masterAuditRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get('/admin/audit', { schema: { querystring: AuditQuery }, exposeHeadRoute: false }, async (request, reply) => {
      if (request.query.format === 'csv') {
        await audit(deps, deps.db, {
          ...byMaster(signedInMaster(request).master_id, request.ip),
          ...exported(request.query),
        })
        return sendAuditCsv(deps, reply, request.query, (entry) => entry)
      }
      const data = await readAudit(deps, request.query)
      return AuditAnswer.parse({ success: true, data }) // by hand: the route's schema would be the file's too
    })
  }

export const hostAuditRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/audit',
      { schema: { querystring: HostAuditQuery }, exposeHeadRoute: false },
      async (request, reply) => {
        const host = signedInHost(request)
        const query = { ...request.query, host_id: host.host_id }
        if (query.format === 'csv') {
          await audit(deps, deps.db, { ...byHost(host, request.ip), ...exported(query) })
          return sendAuditCsv(deps, reply, query, withoutMaster)
        }
        const { entries, next } = await readAudit(deps, query)
        return AuditAnswer.parse({ success: true, data: { entries: entries.map(withoutMaster), next } })
      },
    )
  }

/** A host learns what a master did to its account, not who the master is and where it sits. */
function withoutMaster(entry: AuditEntry): AuditEntry {
  const { actor } = entry
  return actor.role === 'master' ? { ...entry, ip: null, actor: { ...actor, id: null, name: null } } : entry
}

function exported({ from, to, action }: HostAuditQuery) {
  return { action: 'audit_exported' as const, after: { from, to, action } }
}
