import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { AUDIT_PAGE_MAX, type AuditEntry, type AuditQuery } from '../../../shared/audit.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../../shared/csv.ts'
import type { Deps } from '../../deps.ts'
import { readAudit } from './read-audit.ts'

const COLUMNS = ['at', 'actor_role', 'actor', 'host', 'action', 'target', 'ip', 'before', 'after']

/** Streams the matching entries page by page. `redact` removes what the reader may not see. */
export function sendAuditCsv(
  deps: Deps,
  reply: FastifyReply,
  query: AuditQuery,
  redact: (entry: AuditEntry) => AuditEntry,
): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', 'attachment; filename="audit.csv"')
    .send(Readable.from(table(deps, query, redact)))
}

async function* table(
  deps: Deps,
  query: AuditQuery,
  redact: (entry: AuditEntry) => AuditEntry,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS)
  let before = query.before
  for (;;) {
    const { entries, next } = await readAudit(deps, { ...query, before, limit: AUDIT_PAGE_MAX })
    for (const { at, actor, host_name, action, target, ip, ...states } of entries.map(redact)) {
      const targetName = target ? (target.name ?? target.id) : null
      yield csvLine([
        ...[at, actor.role, actor.name, host_name, action, targetName, ip],
        ...[states.before, states.after].map((state) => (state === null ? null : JSON.stringify(state))),
      ])
    }
    if (next === null) return
    before = next
  }
}
