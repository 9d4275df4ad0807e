import { type RawBuilder, sql } from 'kysely'
import type { Archive } from '../../../../shared/recordings.ts'
import type { Db, Tx } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { keptFrom } from '../../../jobs/retention.ts'

export const GIB = 1024 ** 3

type ArchiveDeps = Pick<Deps, 'config' | 'now'>

/** Returns the condition for recordings whose copies are not kept any longer; never true without the setting. */
export function isTooOldToKeep(deps: ArchiveDeps): RawBuilder<boolean> {
  const { RETENTION_RECORDINGS_DAYS } = deps.config
  return RETENTION_RECORDINGS_DAYS === undefined
    ? sql`false`
    : sql`(recordings.started_at < ${keptFrom(deps, RETENTION_RECORDINGS_DAYS)})`
}

/**
 * Selects audio, and video only if there is no audio. Recordings of an earlier Zoom account of the host cannot be
 * fetched.
 */
export const isToArchive = (deps: ArchiveDeps): RawBuilder<boolean> => sql`(
  hosts.recording_enabled and hosts.deleted_at is null and not zoom_links.reconnect_needed
  and recordings.status = 'completed' and recordings.archived_path is null and not ${isTooOldToKeep(deps)}
  and recordings.trashed_at is null and not recordings.gone_at_zoom
  and recordings.zoom_user_id is not distinct from zoom_links.zoom_user_id
  and (recordings.file_type = 'M4A' or not exists (
    select 1 from recordings as sound
    where sound.room_id = recordings.room_id and sound.meeting_uuid = recordings.meeting_uuid and sound.file_type = 'M4A'
  )))`

/** Admits a recording of unknown size while any space is free. */
export const fitsInArchive: RawBuilder<boolean> = sql`(
  hosts.storage_used_bytes + greatest(1, coalesce(recordings.file_size, 1)) <= hosts.storage_limit_gb * ${sql.lit(GIB)})`

/** Counts the recordings of a host that wait for space in the archive. */
export const waitingForSpace = (deps: ArchiveDeps): RawBuilder<number> => sql`(
  select count(*)::int from recordings
  join rooms as own on own.id = recordings.room_id
  join zoom_links on zoom_links.host_id = own.host_id
  where own.host_id = hosts.id and ${isToArchive(deps)} and not ${fitsInArchive})`

/** Counts the recordings of a host whose copies have failed so far, and those that wait for space. */
export const unarchived = (deps: ArchiveDeps): RawBuilder<number> => sql`(
  select count(*)::int from recordings
  join rooms as own on own.id = recordings.room_id
  join zoom_links on zoom_links.host_id = own.host_id
  where own.host_id = hosts.id and ${isToArchive(deps)} and ${isHeldUp})`

const isHeldUp = sql`(recordings.archive_failures > 0 or not ${fitsInArchive})`

/** Omits hosts that have none. */
export async function unarchivedByHost(deps: ArchiveDeps & { db: Db | Tx }): Promise<Map<string, Unarchived>> {
  const { rows } = await sql<{ host_id: string } & Unarchived>`
    select hosts.id as host_id, count(*)::int as unarchived,
      (count(*) filter (where not ${fitsInArchive}))::int as waiting
    from recordings
    join rooms on rooms.id = recordings.room_id
    join hosts on hosts.id = rooms.host_id
    join zoom_links on zoom_links.host_id = hosts.id
    where ${isToArchive(deps)} and ${isHeldUp}
    group by hosts.id`.execute(deps.db)
  return new Map(rows.map(({ host_id, ...counts }) => [host_id, counts]))
}

interface Unarchived {
  unarchived: number
  /** Counts those among them that find no room. */
  waiting: number
}

/** Omits hosts that have none. */
export async function waitingByHost(deps: ArchiveDeps & { db: Db | Tx }): Promise<Map<string, number>> {
  const { rows } = await sql<{ host_id: string; waiting: number }>`
    select hosts.id as host_id, count(*)::int as waiting from recordings
    join rooms on rooms.id = recordings.room_id
    join hosts on hosts.id = rooms.host_id
    join zoom_links on zoom_links.host_id = hosts.id
    where ${isToArchive(deps)} and not ${fitsInArchive}
    group by hosts.id`.execute(deps.db)
  return new Map(rows.map(({ host_id, waiting }) => [host_id, waiting]))
}

interface HostStorage {
  recording_enabled: boolean
  storage_used_bytes: number
  storage_limit_gb: number
  waiting: number
}

export function archiveState(host: HostStorage): Archive {
  const { waiting, storage_limit_gb: limit_gb } = host
  const used_gb = inGb(host.storage_used_bytes)
  const is_full = waiting > 0
  return { is_full, waiting, used_gb, limit_gb, message: is_full ? fullMessage(waiting, used_gb, limit_gb) : null }
}

function fullMessage(waiting: number, used: number, limit: number): string {
  const what = waiting === 1 ? '1 recording is' : `${waiting} recordings are`
  return `The archive has no room left (${used.toFixed(2)} of ${limit} GB used), so ${what} kept at Zoom only. Nothing is lost there yet: raise the storage limit, or delete archived recordings.`
}

export const inGb = (bytes: number) => Math.round((bytes / GIB) * 1_000_000) / 1_000_000

export async function readArchiveState(deps: Deps, host_id: string): Promise<Archive> {
  const host = await deps.db
    .selectFrom('hosts')
    .select(['recording_enabled', 'storage_used_bytes', 'storage_limit_gb'])
    .select(waitingForSpace(deps).as('waiting'))
    .where('hosts.id', '=', host_id)
    .executeTakeFirstOrThrow()
  return archiveState(host)
}
