import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'

/** Recomputes `storage_used_bytes` of one host or all. Excludes partial copies, and copies in the trash. */
export async function countStorage(db: Db | Tx, host_id?: string): Promise<void> {
  await sql`
    update hosts set storage_used_bytes = archived.bytes
    from (
      select rooms.host_id, coalesce(sum(archived_bytes), 0) as bytes
      from rooms left join recordings
        on recordings.room_id = rooms.id and archived_path is not null and trashed_at is null
      where ${host_id === undefined ? sql`true` : sql`rooms.host_id = ${host_id}`}
      group by rooms.host_id
    ) as archived
    where hosts.id = archived.host_id and storage_used_bytes <> archived.bytes`.execute(db)
}
