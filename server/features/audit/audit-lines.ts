import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { AuditEntry, AuditQuery } from '../../../shared/audit.ts'
import type { Deps } from '../../deps.ts'
import type { ReadFilePage } from '../auth/file-pages.ts'
import { ALL_USERS, PAGE } from './audit-csv.ts'
import { readAudit } from './read-audit.ts'

/** Streams the matching entries page by page, oldest first, one JSON object a line. */
export function sendAuditLines(
  deps: Deps,
  readPage: ReadFilePage,
  reply: FastifyReply,
  query: AuditQuery,
  redact: (entry: AuditEntry) => AuditEntry,
): FastifyReply {
  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('content-disposition', 'attachment; filename="audit.jsonl"')
    .send(Readable.from(lines(deps, readPage, query, redact)))
}

async function* lines(
  deps: Deps,
  readPage: ReadFilePage,
  query: AuditQuery,
  redact: (entry: AuditEntry) => AuditEntry,
): AsyncGenerator<string> {
  let after: string | null = '0'
  while (after !== null) {
    const from: string = after
    const { entries, next } = await readPage(() =>
      readAudit(deps, { ...query, limit: PAGE }, { usersEach: ALL_USERS, after: from }),
    )
    for (const entry of entries) yield `${JSON.stringify(redact(entry))}\n`
    after = next
  }
}
