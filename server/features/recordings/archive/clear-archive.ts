import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../../db/any-of.ts'
import type { Tx } from '../../../db/client.ts'
import { clearingJob, ROWS_AT_ONCE } from '../../../jobs/job.ts'
import { JOB_INTERVALS, RETENTION } from '../../../jobs/retention.ts'
import { removeCopy } from './archive-file.ts'
import { countStorage } from './count-storage.ts'
import { isTooOldToKeep } from './to-archive.ts'

/** Removes files before rows: the next run still finds a file by its row. */
export const clearTrash = clearingJob('clear trash', JOB_INTERVALS.hour, async (deps, tx) => {
  const rows = await findRows(tx, sql`trashed_at <= ${new Date(deps.now() - RETENTION.trash)}`)
  for (const row of rows) await removeCopy(deps, row.host_id, row)
  await tx.deleteFrom('recordings').where('id', '=', idsOf(rows)).execute()
  await countStorage(tx) // Zoom may have restored some from its trash, and so from ours, without a call to us
  return rows.length
})

/**
 * Removes copies that are older than RETENTION_RECORDINGS_DAYS: files before rows. What Zoom has is listed from there; what
 * only the archive had is gone.
 */
export const clearOldCopies = clearingJob('clear old copies', JOB_INTERVALS.hour, async (deps, tx) => {
  const rows = await findRows(tx, sql`${isTooOldToKeep(deps)} and archived_path is not null`)
  for (const row of rows) await removeCopy(deps, row.host_id, row)
  const copies = idsOf(rows)
  await tx.deleteFrom('recordings').where('id', '=', copies).where('gone_at_zoom', '=', true).execute()
  const none = { archived_path: null, archived_bytes: null, archive_started_at: null }
  await tx.updateTable('recordings').set(none).where('id', '=', copies).execute()
  if (rows.length > 0) await countStorage(tx)
  return rows.length
})

/** Removes partial copies that Zoom can no longer complete. */
export const clearParts = clearingJob('clear parts of copies', JOB_INTERVALS.hour, async (deps, tx) => {
  const isAbandoned = sql`archive_started_at is not null and archived_path is null and gone_at_zoom
    and coalesce(archive_lease_until < now(), true)`
  const rows = await findRows(tx, isAbandoned)
  for (const row of rows) await removeCopy(deps, row.host_id, row)
  await tx.updateTable('recordings').set({ archive_started_at: null }).where('id', '=', idsOf(rows)).execute()
  return rows.length
})

function findRows(tx: Tx, condition: RawBuilder<unknown>) {
  return tx
    .selectFrom('recordings')
    .innerJoin('rooms', 'rooms.id', 'recordings.room_id')
    .select(['recordings.id', 'rooms.host_id', 'file_type', 'archived_path'])
    .where(sql<boolean>`(${condition})`)
    .limit(ROWS_AT_ONCE)
    .forUpdate('recordings')
    .execute()
}

const idsOf = (rows: { id: string }[]) => anyOf(rows.map(({ id }) => id))
