import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'

/**
 * Adds up what the archive holds for a host, or for all: whole copies, without those in the trash, which have given their
 * room back and take it again if they return.
 */
export async function countStorage(db: Db | Tx, host_id?: string): Promise<void> {
  await sql`
    update hosts set storage_used_bytes = held.bytes
    from (
      select rooms.host_id, coalesce(sum(archived_bytes), 0) as bytes
      from rooms left join recordings
        on recordings.room_id = rooms.id and archived_path is not null and trashed_at is null
      where ${host_id === undefined ? sql`true` : sql`rooms.host_id = ${host_id}`}
      group by rooms.host_id
    ) as held
    where hosts.id = held.host_id and storage_used_bytes <> held.bytes`.execute(db)
}
