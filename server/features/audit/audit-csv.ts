import { z } from 'zod'
import type { AuditEntry, AuditQuery } from '../../../shared/audit.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../../shared/csv.ts'
import type { Deps } from '../../deps.ts'
import type { ReadFilePage } from '../auth/file-pages.ts'
import { readAudit } from './read-audit.ts'

/** Few entries are read at a time, since each may list hundreds of users. */
export const PAGE = 50
export const ALL_USERS = 1_000_000

const COLUMNS = ['at', 'actor_role', 'actor', 'host', 'action', 'target', 'ip', 'before', 'after', 'times']

/** Yields the matching entries page by page, newest first, with a line of column names before them. */
export async function* auditCsv(
  deps: Deps,
  readPage: ReadFilePage,
  query: AuditQuery,
  redact: (entry: AuditEntry) => AuditEntry,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS)
  let before = query.before
  for (;;) {
    const { entries, next } = await readPage(() =>
      readAudit(deps, { ...query, before, limit: PAGE }, { usersEach: ALL_USERS }),
    )
    for (const { at, actor, host_name, action, target, ip, times, ...states } of entries
      .map(redact)
      .flatMap(eachUser)) {
      const targetName = target ? (target.name ?? target.id) : null
      yield csvLine([
        ...[at, actor.role, actor.name, host_name, action, targetName, ip],
        ...[states.before, states.after].map((state) => (state === null ? null : JSON.stringify(state))),
        times,
      ])
    }
    if (next === null) return
    before = next
  }
}

const AddedUsers = z.object({
  users: z.array(z.looseObject({ id: z.string(), username: z.string() })),
  import_id: z.string().optional(),
})

/** Expands the one entry of an import into a line for each user in the file. */
function eachUser(entry: AuditEntry): AuditEntry[] {
  const added = entry.action === 'user_created' ? AddedUsers.safeParse(entry.after) : null
  if (!added?.success) return [entry]
  const { users, import_id } = added.data
  return users.map(({ id, ...after }) => ({
    ...entry,
    target: { id, name: after.username },
    after: { ...after, ...(import_id && { import_id }) },
  }))
}
