import { sql } from 'kysely'
import type { Tx } from '../../db/client.ts'
import { LAG_MS } from './recording-index.ts'

/** The place of a recording at Zoom: in its list, in its trash, or deleted for good. */
export type RecordingPlace = 'kept' | 'trashed' | 'deleted'

interface Owner {
  zoom_account_id: string
  host_id: string | null // unknown in a batch
}

export interface RecordingMark {
  meeting_uuid: string
  zoom_file_id: string // empty for all files of the sitting
}

export async function setPlace(
  tx: Tx,
  owner: Owner,
  marks: RecordingMark[],
  place: RecordingPlace,
  at: Date,
): Promise<void> {
  await upsertMarks(tx, owner, marks, { property: 'place', value: place, at })
  await reconcileIndex(tx, owner.zoom_account_id, marks.map(uuidOf))
}

export async function setTopic(tx: Tx, owner: Owner, meeting_uuid: string, topic: string, at: Date): Promise<void> {
  await upsertMarks(tx, owner, [{ meeting_uuid, zoom_file_id: '' }], { property: 'topic', value: topic, at })
  await reconcileIndex(tx, owner.zoom_account_id, [meeting_uuid])
}

/**
 * Applies Zoom's latest events on these sittings to the index, including events that arrived before the recordings
 * themselves were known. The event that follows our own move to the trash changes nothing.
 */
export async function reconcileIndex(tx: Tx, zoom_account_id: string, uuids: string[]): Promise<void> {
  const these = sql`select value as uuid from json_array_elements_text(${JSON.stringify([...new Set(uuids)])}::json)`
  const latest = (property: 'place' | 'topic') => sql`
    select distinct on (file.id) file.id, mark.value, mark.reported_at
    from recordings as file join recording_marks as mark
      on mark.zoom_account_id = file.zoom_account_id
      and mark.meeting_uuid = file.meeting_uuid
      and mark.zoom_file_id in ('', file.zoom_file_id)
    where file.zoom_account_id = ${zoom_account_id}
      and file.meeting_uuid in (${these})
      and mark.property = ${property}
    order by file.id, mark.reported_at desc, mark.zoom_file_id desc`
  const lag = sql`make_interval(secs => ${sql.lit(LAG_MS / 1000)})`
  await sql`
    update recordings set
      gone_at_zoom = last.value = 'deleted' or (last.value = 'trashed' and trashed_at is null),
      gone_reported_at = last.reported_at,
      shared_until = case when last.value = 'kept' then shared_until end,
      trashed_at = case when last.value = 'kept' and trashed_at <= last.reported_at then null else trashed_at end
    from (${latest('place')}) as last
    where recordings.id = last.id and last.reported_at >= recordings.synced_at - ${lag}`.execute(tx)
  await sql`
    update recordings set topic = last.value from (${latest('topic')}) as last
    where recordings.id = last.id and recordings.synced_at <= last.reported_at`.execute(tx)
}

const uuidOf = ({ meeting_uuid }: RecordingMark) => meeting_uuid

/** Keeps the later of two marks on the same property. Uses one statement, because a batch may name thousands. */
async function upsertMarks(
  tx: Tx,
  { zoom_account_id, host_id }: Owner,
  marks: RecordingMark[],
  { property, value, at }: { property: 'place' | 'topic'; value: string; at: Date },
): Promise<void> {
  await sql`
    insert into recording_marks (zoom_account_id, meeting_uuid, zoom_file_id, property, value, reported_at, host_id)
    select distinct ${zoom_account_id}, meeting_uuid, zoom_file_id, ${property}, ${value}, ${at}::timestamptz, ${host_id}::uuid
    from json_to_recordset(${JSON.stringify(marks)}::json) as named (meeting_uuid text, zoom_file_id text)
    on conflict (zoom_account_id, meeting_uuid, zoom_file_id, property) do update
    set value = excluded.value, reported_at = excluded.reported_at, host_id = coalesce(excluded.host_id, recording_marks.host_id)
    where recording_marks.reported_at <= excluded.reported_at`.execute(tx)
}
