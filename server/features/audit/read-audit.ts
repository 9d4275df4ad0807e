import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { AUDIT_ACTORS, AUDIT_KINDS, AUDIT_USERS_MAX, type AuditEntry, type AuditQuery } from '../../../shared/audit.ts'
import { endExclusive, startOf } from '../../../shared/dates.ts'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { isUuid } from '../../lib/uuid.ts'
import type { AuditSearchQueue } from './audit-search-queue.ts'
import { aboutWords } from './search-words.ts'

type Row = Selectable<Tables['audit']> & { users_left_out: number | null }
type Query = SelectQueryBuilder<Tables, 'audit', object>

interface Reading {
  /** The most users that an entry lists. */
  usersEach?: number
  /** Reads the oldest first, from after the entry with this number. */
  after?: string
}

const COLUMNS = ['id', 'seq', 'at', 'actor_role', 'actor_id', 'host_id', 'action', 'target', 'ip'] as const

/** Returns a page, newest first. `next` is where the page after it begins. A malformed id matches nothing. */
export async function readAudit(
  { db, auditSearches }: Pick<Deps, 'db'> & { auditSearches: Pick<AuditSearchQueue, 'run'> },
  query: AuditQuery,
  { usersEach = Math.floor(AUDIT_USERS_MAX / query.limit), after }: Reading = {},
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const { host_id, actor, user, search, limit } = query
  const isRole = AUDIT_ACTORS.some((role) => role === actor)
  const ids = [host_id, user, isRole ? undefined : actor]
  if (ids.some((id) => id !== undefined && !isUuid(id))) return { entries: [], next: null }

  let matching: Query = db.selectFrom('audit')
  if (host_id !== undefined) matching = matching.where('host_id', '=', host_id)
  if (actor !== undefined) matching = matching.where(isRole ? sql`actor_role` : sql`actor_id`, '=', actor.toLowerCase())
  if (query.action !== undefined) matching = matching.where('action', '=', query.action)
  if (query.kind !== undefined) matching = matching.where('action', 'in', [...AUDIT_KINDS[query.kind]])
  if (query.from !== undefined) matching = matching.where('at', '>=', startOf(query.from))
  if (query.to !== undefined) matching = matching.where('at', '<', endExclusive(query.to))
  if (query.before !== undefined) matching = matching.where('seq', '<', query.before)
  if (after !== undefined) matching = matching.where('seq', '>', after)
  const order = after === undefined ? 'desc' : 'asc'
  const first = { order, limit: limit + 1 } as const
  if (user !== undefined) matching = aboutUser(matching, user.toLowerCase(), first)
  if (search !== undefined) {
    const found = await auditSearches.run(host_id, () => aboutWords(db, matching, search, first))
    if (!found) return { entries: [], next: null }
    matching = found
  }
  const selected = matching
    .select([
      ...COLUMNS,
      firstUsers('before', usersEach).as('before'),
      firstUsers('after', usersEach).as('after'),
      sql<number | null>`greatest(${countUsers('before')}, ${countUsers('after')}) - ${usersEach}::int`.as(
        'users_left_out',
      ),
    ])
    .orderBy('seq', order)
    .limit(limit + 1)
  const rows = await (user === undefined && search === undefined
    ? selected.execute()
    : auditSearches.run(host_id, () => selected.execute()))

  const page = rows.slice(0, limit)
  const names = await namesOf(db, page)
  const times = await timesOf(db, page)
  const last = page.at(-1)
  return {
    entries: page.map((row) => entryOf(row, names, times.get(row.id) ?? 1)),
    next: last && rows.length > limit ? String(last.seq) : null,
  }
}

/**
 * Narrows to the first entries about a user, in that order. Each way to name one has an index of its own, which the planner would
 * leave for a walk through all entries of the host if one query had them all.
 */
function aboutUser(matching: Query, id: string, { order, limit }: { order: 'asc' | 'desc'; limit: number }): Query {
  const first = (column: 'target' | 'actor_id') =>
    matching.select('seq').where(column, '=', id).orderBy('seq', order).limit(limit)
  const namesMany = sql<boolean>`(jsonb_exists(before, 'users') or jsonb_exists(after, 'users'))`
  const isAmongMany = sql<boolean>`audit_user_ids(before, after) @> array[${id}::text]`
  const amongMany = matching.select('seq').where(namesMany).where(isAmongMany)
  return matching.where(
    'seq',
    'in',
    sql<string>`(
    select seq from (select * from ${first('target')} as of_target
      union select * from ${first('actor_id')} as of_actor
      union ${amongMany}) as found
    order by seq ${sql.raw(order)} limit ${limit})`,
  )
}

/** Cut in the database, since an old entry may list users for half a megabyte. */
function firstUsers(state: 'before' | 'after', count: number) {
  return sql<Row['before']>`case when ${countUsers(state)} > ${count}::int
    then ${sql.ref(state)} || jsonb_build_object('users', jsonb_path_query_array(
      ${sql.ref(state)}, '$.users[0 to $last]', jsonb_build_object('last', ${count}::int - 1)))
    else ${sql.ref(state)} end`
}

function countUsers(state: 'before' | 'after') {
  return sql`jsonb_path_query_first(${sql.ref(state)}, '$.users.size()')::int`
}

function entryOf(row: Row, names: Map<string, string>, times: number): AuditEntry {
  const left_out = row.users_left_out ?? 0
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { role: row.actor_role, id: row.actor_id, name: nameOf(row.actor_id) },
    host_id: row.host_id,
    host_name: nameOf(row.host_id),
    action: row.action,
    target: row.target === null ? null : { id: row.target, name: nameOf(row.target) },
    ip: row.ip,
    before: row.before,
    after: row.after,
    times,
    ...(left_out > 0 && { users_left_out: left_out }),
  }
}

/** Joins names when reading, so that the audit itself stores no personal data that it does not need. */
async function namesOf(db: Db, rows: Row[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ actor_id, host_id, target }) => [actor_id, host_id, target]))]
  const uuids = ids.filter((id) => id !== null).filter(isUuid)
  if (uuids.length === 0) return new Map()
  const found = await db
    .selectFrom('hosts')
    .select(['id', 'username as name'])
    .where('id', 'in', uuids)
    .unionAll(db.selectFrom('room_users').select(['id', 'username as name']).where('id', 'in', uuids))
    .unionAll(db.selectFrom('masters').select(['id', 'email as name']).where('id', 'in', uuids))
    .unionAll(db.selectFrom('assistants').select(['id', 'name']).where('id', 'in', uuids))
    .execute()
  return new Map(found.map(({ id, name }) => [id, name]))
}

/** Returns the counts of entries that stand for more than one event. */
async function timesOf(db: Db, rows: Row[]): Promise<Map<string, number>> {
  const counting = rows
    .filter(({ action }) => /_login_(failed|refused)$|^access_refused$|^attendee_guarded$/.test(action))
    .map(({ id }) => id)
  if (counting.length === 0) return new Map()
  const counted = db.selectFrom('refused_sign_ins').select(['audit_id', 'times']).where('audit_id', 'in', counting)
  return new Map((await counted.execute()).map(({ audit_id, times }) => [audit_id, times]))
}
