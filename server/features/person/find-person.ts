import { sql } from 'kysely'
import { numericalIdOf } from '../../../shared/host-ids.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import { ERASED_NAME, type Person } from './person-rows.ts'

export interface KnownPerson extends Person {
  /** The latest one that is known; the id where nothing names a deleted user any more. */
  username: string
  is_erased: boolean
}

export const PERSON_NOT_FOUND = 'User not found'

/** Finds a user of the host's room by its row's id, also a deleted one that is still named somewhere. */
export async function findPerson(db: Db, host_id: string, id: string): Promise<KnownPerson> {
  const room = await db.selectFrom('rooms').select('id').where('host_id', '=', host_id).executeTakeFirst()
  if (!room) throw notFound()
  const person = { id, room_id: room.id, host_id }
  const erasure = db.selectFrom('erasures').select('erased_at').where('room_user_id', '=', id)
  if (await erasure.where('room_id', '=', room.id).executeTakeFirst())
    return { ...person, username: ERASED_NAME, is_erased: true }
  const username = (await nameOfUser(db, person)) ?? (await nameOfDeleted(db, person))
  if (username === null) throw notFound()
  return { ...person, username, is_erased: false }
}

async function nameOfUser(db: Db, { id, room_id }: Person): Promise<string | null> {
  const user = db.selectFrom('room_users').select('username').where('id', '=', id).where('room_id', '=', room_id)
  return (await user.executeTakeFirst())?.username ?? null
}

/** Returns the name of the last stay, else that under which it was deleted; the id if only ids are left, null without any. */
async function nameOfDeleted(db: Db, { id, room_id, host_id }: Person): Promise<string | null> {
  if (id === host_id) return null // the host's own phone has rows too
  const stay = await db
    .selectFrom('stays')
    .select('username')
    .where('room_user_id', '=', id)
    .where('room_id', '=', room_id)
    .orderBy('joined_at', 'desc')
    .executeTakeFirst()
  if (stay) return stay.username
  const isAboutUser = sql`(action like 'user\\_%' or action like 'phone\\_%' or actor_role = 'phone')`
  const { rows } = await sql<{ username: string | null }>`
    select coalesce(before ->> 'username', (
      select entry ->> 'username' from jsonb_array_elements(before -> 'users') as entries (entry)
      where entry ->> 'id' = ${id} limit 1
    )) as username
    from (
      select seq, action, before from audit where host_id = ${host_id} and target = ${id} and ${isAboutUser}
      union all
      select seq, action, before from audit where host_id = ${host_id} and audit_user_ids(before, after) @> array[${id}::text]
        and (jsonb_exists(before, 'users') or jsonb_exists(after, 'users'))
    ) as found
    order by (action = 'user_delete') desc, seq desc limit 1`.execute(db)
  return rows.length > 0 ? (rows[0]?.username ?? id) : null
}

/** Finds a user by the Host ID and the user ID that people read. A present user comes before deleted ones with that ID. */
export async function findPersonByUserId(db: Db, hostUserId: string, userId: string): Promise<KnownPerson> {
  const none = () => new AppError('not_found', `There is no user ${userId} of host ${hostUserId}.`)
  const numerical_id = numericalIdOf(hostUserId)
  if (numerical_id === null) throw none()
  const { rows } = await sql<{ host_id: string; id: string }>`
    with room as (
      select rooms.id, rooms.host_id from rooms join hosts on hosts.id = rooms.host_id
      where hosts.numerical_id = ${numerical_id}
    )
    select host_id, id from (
      select 1 as place, now() as at, host_id, room_users.id::text as id from room_users join room on room.id = room_id
        where user_id_key = ${normaliseForComparison(userId)}
      union all
      select 2, joined_at, host_id, room_user_id::text from stays join room on room.id = room_id
        where upper(user_id) = upper(${userId})
      union all
      select 2, at, room.host_id, target from audit join room on room.host_id = audit.host_id
        where action = 'user_delete' and target is not null and upper(before ->> 'user_id') = upper(${userId})
    ) as found order by place, at desc limit 1`.execute(db)
  const found = rows[0]
  if (!found) throw none()
  return findPerson(db, found.host_id, found.id)
}

const notFound = () => new AppError('not_found', PERSON_NOT_FOUND)
