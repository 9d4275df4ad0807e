import { sql } from 'kysely'
import type { RoomInUse } from '../../../shared/home.ts'
import type { Deps } from '../../deps.ts'

/** Lists the rooms in which users are online or a meeting runs, the fullest first. */
export async function listRoomsInUse({ db }: Pick<Deps, 'db'>, host_id?: string): Promise<RoomInUse[]> {
  const { rows } = await sql<RoomInUse>`
    select hosts.id as host_id, hosts.username as host_name, rooms.name as room_name,
      coalesce(present.users, 0) as users, running.room_id is not null as has_meeting
    from rooms
    join hosts on hosts.id = rooms.host_id
    left join (
      select room_id, count(*)::int as users from stays where left_at is null group by room_id
    ) as present on present.room_id = rooms.id
    left join (select distinct room_id from sittings where is_live) as running on running.room_id = rooms.id
    where hosts.deleted_at is null and (present.users is not null or running.room_id is not null)
      ${host_id === undefined ? sql`` : sql`and hosts.id = ${host_id}`}
    order by users desc, has_meeting desc, hosts.numerical_id`.execute(db)
  return rows
}
