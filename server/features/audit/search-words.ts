import { type SelectQueryBuilder, sql } from 'kysely'
import { AUDIT_ACTIONS } from '../../../shared/audit.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'

type Query = SelectQueryBuilder<Tables, 'audit', object>

/** The most accounts and users whose names a search may match. */
const NAMED_MAX = 100

/**
 * Narrows to the first entries in which the words are part of an action's name, or of the name of a host, a master, an
 * assistant or a user that the entry names. Each way has an index of its own. Returns null if nothing has such a name.
 */
export async function aboutWords(
  db: Db,
  matching: Query,
  words: string,
  { order, limit }: { order: 'asc' | 'desc'; limit: number },
): Promise<Query | null> {
  const key = normaliseForComparison(words)
  const actions = AUDIT_ACTIONS.filter((action) => action.replaceAll(/[_-]/g, ' ').includes(key.replaceAll('_', ' ')))
  const named = await findNamed(db, key)
  if (actions.length === 0 && named.length === 0) return null
  const ids = JSON.stringify(named.map(({ id }) => id))
  const hosts = JSON.stringify(named.filter(({ is_host }) => is_host).map(({ id }) => id))
  const first = (column: 'target' | 'actor_id' | 'host_id' | 'action', values: string) => {
    const rows = matching
      .select('seq')
      .where(sql.ref(column), '=', column === 'host_id' ? sql`value::uuid` : sql`value`)
      .orderBy('seq', order)
      .limit(limit)
    return sql`select found.seq from json_array_elements_text(${values}::json) as value, lateral (${rows}) as found`
  }
  return matching.where(
    'seq',
    'in',
    sql<string>`(
    select seq from (${first('target', ids)} union ${first('actor_id', ids)}
      union ${first('host_id', hosts)} union ${first('action', JSON.stringify(actions))}) as found
    order by seq ${sql.raw(order)} limit ${limit})`,
  )
}

async function findNamed(db: Db, key: string): Promise<{ id: string; is_host: boolean }[]> {
  const has = (column: string) => sql<boolean>`strpos(${sql.ref(column)}, ${key}) > 0`
  const hasText = (column: string) => sql<boolean>`strpos(lower(coalesce(${sql.ref(column)}, '')), ${key}) > 0`
  return db
    .selectFrom('hosts')
    .select(['id', sql<boolean>`true`.as('is_host')])
    .where((eb) => eb.or([has('username_key'), has('email_key'), hasText('full_name')]))
    .unionAll(
      db
        .selectFrom('masters')
        .select(['id', sql<boolean>`false`.as('is_host')])
        .where((eb) => eb.or([has('email_key'), hasText('full_name')])),
    )
    .unionAll(
      db
        .selectFrom('assistants')
        .select(['id', sql<boolean>`false`.as('is_host')])
        .where(has('name_key')),
    )
    .unionAll(
      db
        .selectFrom('room_users')
        .select(['id', sql<boolean>`false`.as('is_host')])
        .where((eb) => eb.or([has('username_key'), has('user_id_key')])),
    )
    .limit(NAMED_MAX)
    .execute()
}
