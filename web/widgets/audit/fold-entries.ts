import type { AuditEntry } from '../../../shared/audit.ts'

/** Actions that programs and long lists repeat for many users, and that the log folds into one line. */
const FOLDED = [
  'user_created',
  'user_delete',
  'user_activate',
  'user_deactivate',
  'user_logout',
  'user_switch',
  'user_credentials_revealed',
  'sign_in_link_made',
]
/** Shorter runs stay lines of their own, imports aside. */
const LEAST = 3

type AuditUser = { id: string; name: string | null }
/** A line: an entry, or several of the same action; `users` is empty unless the line is about several users. */
export type AuditLine = { entry: AuditEntry; users: AuditUser[] }

/**
 * Groups entries into lines and keeps their order: an import, or a repeated action, is one line that counts each user
 * once.
 */
export function foldEntries(entries: readonly AuditEntry[]): AuditLine[] {
  const runs: AuditEntry[][] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    if (run?.[0] && isSameAct(run[0], entry)) run.push(entry)
    else runs.push([entry])
  }
  return runs.flatMap((run) => {
    const [newest] = run
    if (!newest || run.length < (importOf(newest) ? 2 : LEAST))
      return run.map((entry) => ({ entry, users: usersOf(entry) }))
    const acted = run.toReversed().flatMap((entry) => (entry.target ? [entry.target] : usersOf(entry)))
    const users = [...new Map(acted.map((user) => [user.id, user])).values()]
    if (newest.target && users.length === 1) {
      return [{ entry: { ...newest, times: run.reduce((sum, { times }) => sum + times, 0) }, users: usersOf(newest) }]
    }
    const ids = users.map(({ id }) => ({ id }))
    const isImport = run.some(({ after }) => Array.isArray(after?.users))
    const left_out = run.reduce((sum, { users_left_out = 0 }) => sum + users_left_out, 0)
    const unchanged = run.reduce((sum, { after }) => sum + Number(after?.users_unchanged ?? 0), 0)
    const state = isImport
      ? { before: null, after: { users: ids } }
      : { before: { users: ids }, after: { ...newest.after, ...(unchanged > 0 && { users_unchanged: unchanged }) } }
    return [{ entry: { ...newest, target: null, ...state, users_left_out: left_out || undefined }, users }]
  })
}

function isSameAct(a: AuditEntry, b: AuditEntry): boolean {
  return (
    FOLDED.includes(a.action) &&
    a.action === b.action &&
    a.actor.role === b.actor.role &&
    a.actor.id === b.actor.id &&
    importOf(a) === importOf(b) &&
    a.after?.purpose === b.after?.purpose &&
    [a, b].every(({ after }) => after?.users_changed === undefined) // their users are not listed
  )
}

function importOf({ after }: AuditEntry): string | null {
  return typeof after?.import_id === 'string' ? after.import_id : null
}

/** Returns the users of a bulk action; the log keeps the names of added and deleted users. */
function usersOf({ before, after }: AuditEntry): AuditUser[] {
  const many = before?.users ?? after?.users
  if (!Array.isArray(many)) return []
  return many.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('id' in one) || typeof one.id !== 'string') return []
    return [{ id: one.id, name: 'username' in one && typeof one.username === 'string' ? one.username : null }]
  })
}
