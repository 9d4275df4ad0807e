import { type RawBuilder, sql } from 'kysely'
import type { PersonRows } from '../../../shared/person.ts'
import type { Db, Tx } from '../../db/client.ts'

/** A room user, there or deleted, under the id that its rows have. */
export interface Person {
  id: string
  room_id: string
  host_id: string
}

/** Stands in stays in the place of the name. */
export const ERASED_NAME = 'erased'

/** Matches the audit rows about or by a person. */
export const isOfPerson = ({ id, host_id }: Person): RawBuilder<boolean> =>
  sql`(host_id = ${host_id} and (target = ${id} or actor_id = ${id}))`

/** Matches the audit rows of acts on many users, one of whom the person is. */
export const listsPerson = ({ id, host_id }: Person): RawBuilder<boolean> =>
  sql`(host_id = ${host_id} and (jsonb_exists(before, 'users') or jsonb_exists(after, 'users'))
    and audit_user_ids(before, after) @> array[${id}::text])`

export async function countPersonRows(db: Db | Tx, person: Person): Promise<PersonRows> {
  const { rows } = await sql<PersonRows>`
    select
      (select count(*)::int from stays where room_id = ${person.room_id} and room_user_id = ${person.id}) as stays,
      (select count(*)::int from (
        select id from audit where ${isOfPerson(person)} union select id from audit where ${listsPerson(person)}
      ) as found) as audit_rows`.execute(db)
  return rows[0] ?? { stays: 0, audit_rows: 0 }
}
