import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { AuditEntry, AuditQuery } from '../../../shared/audit.ts'
import type { Deps } from '../../deps.ts'
import type { ReadFilePage } from '../auth/file-pages.ts'
import { auditCsv } from './audit-csv.ts'
import { auditLines } from './audit-lines.ts'

const FORMATS = {
  csv: { type: 'text/csv; charset=utf-8; header=present', rows: auditCsv },
  jsonl: { type: 'application/x-ndjson; charset=utf-8', rows: auditLines },
}
export type AuditFileFormat = keyof typeof FORMATS

/** Streams the matching entries. `redact` removes what the reader may not see. */
export function sendAuditFile(
  deps: Deps,
  readPage: ReadFilePage,
  reply: FastifyReply,
  query: AuditQuery & { format: AuditFileFormat },
  redact: (entry: AuditEntry) => AuditEntry,
): FastifyReply {
  const { type, rows } = FORMATS[query.format]
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="audit.${query.format}"`)
    .send(Readable.from(rows(deps, readPage, query, redact)))
}
