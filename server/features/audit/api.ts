import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { AuditAnswer, type AuditEntry, AuditQuery, HostAuditQuery } from '../../../shared/audit.ts'
import { anita, host, ID } from '../../../shared/examples.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Records']
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
const JsonOrFile = {
  content: {
    'application/json': { schema: withExample(AuditAnswer, { success: true, data: { entries: [entry], next: null } }) },
    'text/csv': { schema: z.string() },
    'application/x-ndjson': { schema: z.string() },
  },
}

export const listAudit = {
  tags,
  operationId: 'listAudit',
  summary: 'List the audit log',
  description:
    'Newest first. `next` is the `before` of the next page. A master may get 20 files a ' +
    'minute (`format=csv` or `jsonl`), and a session 300 pages.',
  querystring: withExample(AuditQuery, { ...query, host_id: ID.host, search: 'anita' }),
  response: { 200: JsonOrFile },
} satisfies FastifySchema

export const listOwnAudit = {
  tags,
  operationId: 'listOwnAudit',
  summary: "List the audit log of the host's room",
  description:
    'Newest first. Shows what a master did, but neither which master nor the address. A host may get 20 files a ' +
    'minute (`format=csv` or `jsonl`), and a session 300 pages.',
  querystring: withExample(HostAuditQuery, query),
  response: { 200: JsonOrFile },
} satisfies FastifySchema
