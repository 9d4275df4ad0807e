import { sql } from 'kysely'
import { backoff } from '../../../../shared/backoff.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../shared/dates.ts'
import type { Tx } from '../../../db/client.ts'
import { Leases } from '../../../db/leases.ts'
import type { Deps } from '../../../deps.ts'
import type { Media } from '../media.ts'
import type { RecordingRow } from '../recording-index.ts'
import { archivePath } from './archive-file.ts'
import { fitsInArchive, GIB, isToArchive } from './to-archive.ts'

const RETRY_MS = { first: MINUTE_MS, longest: 6 * HOUR_MS }

/** Renewed while the copy grows, so that a lease expires soon after its process has died. */
export const archiveLeases = new Leases({
  table: 'recordings',
  key: 'id',
  lease: 'archive_lease',
  until: 'archive_lease_until',
  seconds: 60,
})

/** Claims the newest recording to archive that fits; one per host at a time, so that the host's limit holds. */
export function claimRecording(deps: Deps, tx: Tx): Promise<RecordingRow | undefined> {
  const at = new Date(deps.now())
  const candidate = sql`
    select recordings.id from recordings
    join rooms on rooms.id = recordings.room_id
    join hosts on hosts.id = rooms.host_id
    join zoom_links on zoom_links.host_id = hosts.id
    where ${isToArchive(deps)} and ${fitsInArchive}
      and coalesce(archive_next_attempt_at <= ${at}, true)
      and not exists (
        select 1 from recordings as busy
        where busy.room_id = recordings.room_id and busy.archive_lease_until > now()
      )
    order by recordings.started_at desc, recordings.id
    limit 1`
  return archiveLeases.take(tx, candidate, { archive_started_at: at })
}

/** Returns false if the copy is no longer needed: the recording is in the trash, or its host deleted. */
export function renewLease({ db }: Deps, claim: RecordingRow): Promise<boolean> {
  const isWanted = sql<boolean>`trashed_at is null and exists (
    select from rooms join hosts on hosts.id = rooms.host_id
    where rooms.id = recordings.room_id and hosts.deleted_at is null
  )`
  return archiveLeases.renew(db, claim, isWanted)
}

export type CopyOutcome = 'done' | 'no_room' | 'deleted' | 'taken over'

/** Records the complete copy if this process still has the lease and the host still has room. */
export async function finishCopy({ db }: Deps, media: Media, claim: RecordingRow, bytes: number): Promise<CopyOutcome> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('recordings')
      .select('archive_lease')
      .where('id', '=', claim.id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return 'deleted'
    if (row.archive_lease !== claim.archive_lease) return 'taken over'
    const host = await tx
      .updateTable('hosts')
      .set((eb) => ({ storage_used_bytes: eb('storage_used_bytes', '+', bytes) }))
      .where('id', '=', media.host_id)
      .where(sql<boolean>`storage_used_bytes + ${bytes} <= storage_limit_gb * ${sql.lit(GIB)}`)
      .returning('id')
      .executeTakeFirst()
    const archived = { archived_path: archivePath(media.host_id, media), archived_bytes: bytes }
    await archiveLeases.release(tx, claim, {
      ...(host && archived),
      archive_failures: 0,
      archive_next_attempt_at: null,
    })
    return host ? 'done' : 'no_room'
  })
}

export async function reschedule({ db, now }: Deps, claim: RecordingRow, hasFailed: boolean): Promise<void> {
  const archive_failures = claim.archive_failures + 1
  const archive_next_attempt_at = new Date(now() + backoff(archive_failures, RETRY_MS))
  await archiveLeases.release(db, claim, hasFailed ? { archive_failures, archive_next_attempt_at } : {})
}
