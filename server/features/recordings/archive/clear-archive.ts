import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'
import { clearingJob, ROWS_AT_ONCE } from '../../../jobs/job.ts'
import { EVERY, KEPT } from '../../../jobs/retention.ts'
import { removeCopy } from './archive-file.ts'
import { countStorage } from './count-storage.ts'

/**
 * What has been in the trash for as long as Zoom keeps it there too goes from the archive and the index. Its file first:
 * one whose row is still there is looked for again.
 */
export const clearTrash = clearingJob('clear trash', EVERY.hour, async (deps, tx) => {
  const rows = await find(tx, sql`trashed_at <= ${new Date(deps.now() - KEPT.trash)}`)
  for (const row of rows) await removeCopy(deps, row.host_id, row)
  await tx.deleteFrom('recordings').where('id', 'in', idsOf(rows)).execute()
  await countStorage(tx) // Zoom may have taken some out of its trash, and so out of ours, without a call to us
  return rows.length
})

/** Parts of copies that nobody will finish, since Zoom no longer has the rest. */
export const clearParts = clearingJob('clear parts of copies', EVERY.hour, async (deps, tx) => {
  const isLeft = sql`archive_began_at is not null and archived_path is null and gone_at_zoom
    and coalesce(archive_lease_until < now(), true)`
  const rows = await find(tx, isLeft)
  for (const row of rows) await removeCopy(deps, row.host_id, row)
  await tx.updateTable('recordings').set({ archive_began_at: null }).where('id', 'in', idsOf(rows)).execute()
  return rows.length
})

function find(tx: Tx, isMeant: RawBuilder<unknown>) {
  return tx
    .selectFrom('recordings')
    .innerJoin('rooms', 'rooms.id', 'recordings.room_id')
    .select(['recordings.id', 'rooms.host_id', 'file_type', 'archived_path'])
    .where(sql<boolean>`(${isMeant})`)
    .limit(ROWS_AT_ONCE)
    .forUpdate('recordings')
    .execute()
}

/** One that is nobody's, lest the list be empty, which is no SQL. */
const idsOf = (rows: { id: string }[]) => ['00000000-0000-0000-0000-000000000000', ...rows.map(({ id }) => id)]
