import type { AuditEntry, AuditQuery } from '../../../shared/audit.ts'
import type { Deps } from '../../deps.ts'
import type { ReadFilePage } from '../auth/file-pages.ts'
import { ALL_USERS, PAGE } from './audit-csv.ts'
import { readAudit } from './read-audit.ts'

/** Yields the matching entries page by page, oldest first, one JSON object a line. */
export async function* auditLines(
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
