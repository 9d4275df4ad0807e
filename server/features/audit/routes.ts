import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { AuditAnswer, type AuditEntry, AuditQuery, HostAuditQuery } from '../../../shared/audit.ts'
import { anita, host, ID } from '../../../shared/examples.ts'
import { audit, byHost, byMaster } from '../../db/audit-log.ts'
import type { Deps } from '../../deps.ts'
import { withExample } from '../../lib/with-example.ts'
import { allow, ofSession, signedInHost, signedInMaster } from '../auth/guards.ts'
import { sendAuditCsv } from './audit-csv.ts'
import { limitReads } from './export-limit.ts'
import { readAudit } from './read-audit.ts'

const tags = ['Records']

/** The limit per session: each filter and each further page of a log counts. */
const LIMIT = limitReads(300, ofSession)

const entry: AuditEntry = {
  id: '1042',
  at: '2026-11-20T11:59:45.000Z',
  actor: { role: 'host', id: ID.host, name: host.username },
  host_id: ID.host,
  host_name: host.username,
  action: 'user_mute',
  target: { id: anita.id, name: anita.username },
  ip: '203.0.113.7',
  before: { is_muted: false },
  after: { is_muted: true },
  times: 1,
}
const query = {
  action: 'user_mute',
  actor: 'host',
  kind: 'mutes',
  user: anita.id,
  from: '2026-11-01',
  to: '2026-11-20',
  limit: 50,
  before: '1043',
  format: 'json',
} as const
const JsonOrCsv = {
  content: {
    'application/json': { schema: withExample(AuditAnswer, { success: true, data: { entries: [entry], next: null } }) },
    'text/csv': { schema: z.string() },
  },
}

export const masterAuditRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'master')

    app.get(
      '/admin/audit',
      {
        schema: {
          tags,
          operationId: 'listAudit',
          summary: 'List the audit log',
          description:
            'Newest first. `next` is the `before` of the next page. A master may get 20 files a ' +
            'minute (`format=csv`), and a session 300 pages.',
          querystring: withExample(AuditQuery, { ...query, host_id: ID.host }),
          response: { 200: JsonOrCsv },
        },
        exposeHeadRoute: false,
        config: LIMIT,
      },
      async (request, reply) => {
        if (request.query.format === 'csv') {
          await audit(deps, deps.db, {
            ...byMaster(signedInMaster(request), request.ip),
            ...exported(request.query),
          })
          return sendAuditCsv(deps, reply, request.query, (entry) => entry)
        }
        return { success: true as const, data: await readAudit(deps, request.query) }
      },
    )
  }

export const hostAuditRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host')

    app.get(
      '/host/audit',
      {
        schema: {
          tags,
          operationId: 'listOwnAudit',
          summary: "List the audit log of the host's room",
          description:
            'Newest first. Shows what a master did, but neither which master nor the address. A host may get 20 files a ' +
            'minute (`format=csv`), and a session 300 pages.',
          querystring: withExample(HostAuditQuery, query),
          response: { 200: JsonOrCsv },
        },
        exposeHeadRoute: false,
        config: LIMIT,
      },
      async (request, reply) => {
        const host = signedInHost(request)
        const query = { ...request.query, host_id: host.host_id }
        if (query.format === 'csv') {
          await audit(deps, deps.db, { ...byHost(host, request.ip), ...exported(query) })
          return sendAuditCsv(deps, reply, query, withoutMaster)
        }
        const { entries, next } = await readAudit(deps, query)
        return { success: true as const, data: { entries: entries.map(withoutMaster), next } }
      },
    )
  }

/** Hides from a host which master acted on its account, and the IP address. */
function withoutMaster(entry: AuditEntry): AuditEntry {
  const { actor } = entry
  return actor.role === 'master' ? { ...entry, ip: null, actor: { ...actor, id: null, name: null } } : entry
}

function exported({ from, to, action, kind, user }: HostAuditQuery) {
  return { action: 'audit_exported' as const, after: { from, to, action, kind, user } }
}
