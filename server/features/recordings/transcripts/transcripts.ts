import { sql } from 'kysely'
import type { z } from 'zod'
import { searchWords } from '../../../../shared/search-words.ts'
import type {
  FoundRecordings,
  RecordingSearchQuery,
  RecordingTranscript,
  TranscriptLine,
} from '../../../../shared/transcripts.ts'
import type { HostActor } from '../../../db/actor.ts'
import { anyOf } from '../../../db/any-of.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { RECORDING_NOT_FOUND, type RecordingRow } from '../recording-index.ts'
import { findRecordedRoom, recordingsOf } from '../recordings.ts'

const MAX_FOUND = 20
const MAX_LINES = 5

const isListed = sql`(recordings.trashed_at is null and (not recordings.gone_at_zoom or recordings.archived_path is not null))`

/**
 * Zoom starts a transcript with its sound. Where there is one stretch of sound, they belong together whatever their
 * times say.
 */
const belongTogether = sql`(
  recordings.room_id = transcripts.room_id and recordings.meeting_uuid = transcripts.meeting_uuid
  and (abs(extract(epoch from recordings.started_at - transcripts.started_at)) <= 10 or not exists (
    select from recordings as another
    where another.room_id = recordings.room_id and another.meeting_uuid = recordings.meeting_uuid
      and another.file_type = recordings.file_type and another.id <> recordings.id)))`
const nearestFirst = sql`abs(extract(epoch from recordings.started_at - transcripts.started_at))`

export async function findTranscript(deps: Deps, { host_id }: HostActor, id: string): Promise<RecordingTranscript> {
  const room = await findRecordedRoom(deps, host_id)
  const { rows } = await sql<{
    id: string | null
    status: RecordingTranscript['status'] | null
    skipped_at_ms: number | null
  }>`
    select transcripts.id, transcripts.status, transcripts.skipped_at_ms
    from recordings left join transcripts on ${belongTogether}
    where recordings.id = ${id} and recordings.room_id = ${room.id} and ${isListed}
    order by ${nearestFirst}, transcripts.id limit 1`.execute(deps.db)
  const [found] = rows
  if (!found) throw new AppError('not_found', RECORDING_NOT_FOUND)
  if (!found.id || !found.status) return { status: 'none', skipped_at_ms: null, lines: [] }
  const cues = await deps.db
    .selectFrom('transcript_cues')
    .select(['start_ms', 'end_ms', 'speaker', 'words'])
    .where('transcript_id', '=', found.id)
    .orderBy('cue_number')
    .execute()
  return { status: found.status, skipped_at_ms: found.skipped_at_ms, lines: cues.map(lineOf) }
}

/**
 * Looks first for transcripts that have all words, newest first, and then for lines of theirs that have all words, so
 * that neither a rare word nor one of every line takes long.
 */
export async function searchTranscripts(
  deps: Deps,
  by: HostActor,
  { q }: z.output<typeof RecordingSearchQuery>,
): Promise<FoundRecordings> {
  const room = await findRecordedRoom(deps, by.host_id)
  const query = tsqueryOf(q)
  if (query === null) return { found: [], has_more: false }
  const { rows } = await sql<{ recording_id: string; cues: Parameters<typeof lineOf>[0][] }>`
    with candidates as materialized (
      select distinct on (recordings.started_at, recordings.id)
        recordings.id as recording_id, recordings.started_at, transcripts.id as transcript_id
      from transcripts
      join lateral (
        select recordings.id, recordings.started_at from recordings
        where ${belongTogether} and ${isListed}
        order by recordings.file_type = 'M4A' desc, ${nearestFirst}, recordings.id limit 1
      ) as recordings on true
      where transcripts.room_id = ${room.id} and transcripts.found_by @@ ${query}::tsquery
      order by recordings.started_at desc, recordings.id, transcripts.id
    )
    select recording_id, cues from candidates
    join lateral (
      select json_agg(json_build_object('start_ms', start_ms, 'end_ms', end_ms, 'speaker', speaker, 'words', words)
        order by cue_number) as cues
      from (
        select * from transcript_cues
        where transcript_cues.transcript_id = candidates.transcript_id and found_by @@ ${query}::tsquery
        order by cue_number limit ${sql.lit(MAX_LINES + 1)}
      ) as first_ones
    ) as lines on cues is not null
    order by candidates.started_at desc, recording_id
    limit ${sql.lit(MAX_FOUND + 1)}`.execute(deps.db)
  const shown = rows.slice(0, MAX_FOUND)
  const recordings = await readRecordings(
    deps,
    by,
    room.id,
    shown.map(({ recording_id }) => recording_id),
  )
  const found = shown.flatMap(({ recording_id, cues }) => {
    const recording = recordings.get(recording_id)
    if (!recording) return []
    return [{ recording, lines: cues.slice(0, MAX_LINES).map(lineOf), has_more_lines: cues.length > MAX_LINES }]
  })
  return { found, has_more: rows.length > MAX_FOUND }
}

/** Every word must match; the last one with its beginning. Returns null where the query has no word. */
function tsqueryOf(text: string): string | null {
  const words = searchWords(text).map(({ word }) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)
  return words.length === 0 ? null : `${words.join(' & ')}:*`
}

/** Reads all files of the sittings too. */
async function readRecordings(deps: Deps, by: HostActor, room_id: string, ids: string[]) {
  const rows: RecordingRow[] = await deps.db
    .selectFrom('recordings')
    .selectAll()
    .where('room_id', '=', room_id)
    .where('meeting_uuid', 'in', (eb) =>
      eb.selectFrom('recordings as shown').select('shown.meeting_uuid').where('shown.id', '=', anyOf(ids)),
    )
    .where(sql<boolean>`${isListed}`)
    .execute()
  const wanted = new Set(ids)
  const shown = rows.filter(({ id }) => wanted.has(id))
  return new Map(recordingsOf(deps, by, shown, rows).map((recording) => [recording.id, recording]))
}

function lineOf({
  start_ms,
  end_ms,
  speaker,
  words,
}: {
  start_ms: number
  end_ms: number
  speaker: string
  words: string
}): TranscriptLine {
  return { start_ms, end_ms, speaker: speaker || null, text: words }
}
