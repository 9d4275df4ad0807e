import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AuditAnswer, type AuditEntry, AuditQuery, HostAuditQuery } from '../../shared/audit.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import type { Deps } from '../deps.ts'
import { readAudit } from './read-audit.ts'

export const masterAuditRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get(
      '/admin/audit',
      { schema: { querystring: AuditQuery, response: { 200: AuditAnswer } } },
      async ({ query }) => ({ success: true as const, data: await readAudit(deps, query) }),
    )
  }

export const hostAuditRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/audit',
      { schema: { querystring: HostAuditQuery, response: { 200: AuditAnswer } } },
      async (request) => {
        const { host_id } = signedInHost(request)
        const { entries, next } = await readAudit(deps, { ...request.query, host_id })
        return { success: true as const, data: { entries: entries.map(withoutMaster), next } }
      },
    )
  }

/** A host learns what a master did to its account, not who the master is and where it sits. */
function withoutMaster(entry: AuditEntry): AuditEntry {
  const { actor } = entry
  return actor.role === 'master' ? { ...entry, ip: null, actor: { ...actor, id: null, name: null } } : entry
}
