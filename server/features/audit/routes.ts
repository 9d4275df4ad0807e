import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AuditEntry, HostAuditQuery } from '../../../shared/audit.ts'
import { audit } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { filePagesOf } from '../auth/file-pages.ts'
import { allow, sessionIdOf, signedInHost, signedInMaster } from '../auth/guards.ts'
import * as api from './api.ts'
import { sendAuditFile } from './audit-file.ts'
import { limitAuditReads } from './export-limit.ts'
import { readAudit } from './read-audit.ts'

/** The limit per session: each filter and each further page of a log counts. */
const LIMIT = limitAuditReads(300, sessionIdOf)

export const masterAuditRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get(
      '/admin/audit',
      { schema: api.listAudit, exposeHeadRoute: false, config: LIMIT },
      async (request, reply) => {
        const { format, ...query } = request.query
        if (format === 'json') return { success: true as const, data: await readAudit(deps, request.query) }
        const { action, after } = exported(request.query)
        const { host_id, search } = query
        const narrowed = { host_id, ...(search !== undefined && { searched: true }) } // what was typed may be a name
        await audit(deps, deps.db, signedInMaster(request), { action, after: { ...after, ...narrowed } })
        return sendAuditFile(deps, filePagesOf(deps, request), reply, { ...query, format }, (entry) => entry)
      },
    )
  }

export const hostAuditRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/audit',
      { schema: api.listOwnAudit, exposeHeadRoute: false, config: LIMIT },
      async (request, reply) => {
        const by = signedInHost(request)
        const { format } = request.query
        const query = { ...request.query, host_id: by.host_id }
        if (format === 'json') {
          const { entries, next } = await readAudit(deps, query)
          return { success: true as const, data: { entries: entries.map(withoutMaster), next } }
        }
        await audit(deps, deps.db, by, exported(query))
        return sendAuditFile(deps, filePagesOf(deps, request), reply, { ...query, format }, withoutMaster)
      },
    )
  }

/** Hides from a host which master acted on its account, and the IP address. */
function withoutMaster(entry: AuditEntry): AuditEntry {
  const { actor } = entry
  return actor.role === 'master' ? { ...entry, ip: null, actor: { ...actor, id: null, name: null } } : entry
}

function exported({ from, to, action, kind, user, format }: HostAuditQuery) {
  const after = { from, to, action, kind, user, ...(format === 'jsonl' && { format }) }
  return { action: 'audit_exported' as const, after }
}
