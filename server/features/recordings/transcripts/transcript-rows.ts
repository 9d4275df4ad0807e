import { type Selectable, sql } from 'kysely'
import { backoff } from '../../../../shared/backoff.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../shared/dates.ts'
import { searchWords } from '../../../../shared/search-words.ts'
import type { Tx } from '../../../db/client.ts'
import { Leases } from '../../../db/leases.ts'
import type { Tables } from '../../../db/tables.ts'
import type { Deps } from '../../../deps.ts'
import type { Cue } from './parse-webvtt.ts'

export type TranscriptRow = Selectable<Tables['transcripts']>

const RETRY_MS = { first: MINUTE_MS, longest: 6 * HOUR_MS }
const ROWS_AT_ONCE = 500
/** PostgreSQL keeps the words of a transcript in at most 1 MB. */
const MAX_WORD_BYTES = 900_000

export const transcriptLeases = new Leases({
  table: 'transcripts',
  key: 'id',
  lease: 'lease',
  until: 'lease_until',
  seconds: 120,
})

/** Claims the newest transcript to read; one per host at a time, since its recordings need Zoom too. */
export function claimTranscript(deps: Deps, tx: Tx): Promise<TranscriptRow | undefined> {
  const candidate = sql`
    select transcripts.id from transcripts
    join rooms on rooms.id = transcripts.room_id
    join hosts on hosts.id = rooms.host_id
    join zoom_links on zoom_links.host_id = hosts.id
    where transcripts.status = 'waiting' and coalesce(transcripts.next_attempt_at <= ${new Date(deps.now())}, true)
      and hosts.deleted_at is null and not zoom_links.reconnect_needed
      and transcripts.zoom_user_id is not distinct from zoom_links.zoom_user_id
      and exists (
        select from recordings
        where recordings.room_id = transcripts.room_id and recordings.meeting_uuid = transcripts.meeting_uuid
          and trashed_at is null and not gone_at_zoom
      )
      and not exists (
        select from transcripts as busy where busy.room_id = transcripts.room_id and busy.lease_until > now()
      )
    order by transcripts.started_at desc, transcripts.id
    limit 1`
  return transcriptLeases.take(tx, candidate)
}

export type Unreadable = 'damaged' | 'too_large'

/** Leaves the lines that were read before. */
export async function markUnreadable({ db }: Deps, claim: TranscriptRow, status: Unreadable): Promise<void> {
  await transcriptLeases.release(db, claim, { status, read_failures: 0, next_attempt_at: null })
}

export async function retryLater({ db, now }: Deps, claim: TranscriptRow): Promise<void> {
  const read_failures = claim.read_failures + 1
  const next_attempt_at = new Date(now() + backoff(read_failures, RETRY_MS))
  await transcriptLeases.release(db, claim, { read_failures, next_attempt_at })
}

/** Replaces the lines of a transcript. Writes nothing if another process has claimed it since. */
export async function saveLines(
  deps: Deps,
  claim: TranscriptRow,
  cues: Cue[],
  skipped_at_ms: number | null,
): Promise<void> {
  const all = new Set<string>()
  const rows: (Cue & { cue_number: number; found: string[] })[] = []
  for (const [cue_number, cue] of cues.entries()) {
    const found = [...new Set(searchWords(`${cue.speaker} ${cue.words}`).map(({ word }) => word))]
    for (const word of found) all.add(word)
    rows.push({ cue_number, ...cue, found })
    if (rows.length % ROWS_AT_ONCE === 0) await new Promise(setImmediate) // it may be a long file
  }
  const bytes = [...all].reduce((sum, word) => sum + Buffer.byteLength(word), 0)
  if (bytes > MAX_WORD_BYTES) return markUnreadable(deps, claim, 'too_large')
  await deps.db.transaction().execute(async (tx) => {
    const isOurs = await transcriptLeases.release(tx, claim, {
      ...{ status: 'read', skipped_at_ms, read_failures: 0, next_attempt_at: null },
      found_by: sql`array_to_tsvector(${[...all]}::text[])`,
    })
    if (!isOurs) return
    await tx.deleteFrom('transcript_cues').where('transcript_id', '=', claim.id).execute()
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await sql`
        insert into transcript_cues (transcript_id, cue_number, start_ms, end_ms, speaker, words, found_by)
        select ${claim.id}::uuid, cue_number, start_ms, end_ms, speaker, words,
          array_to_tsvector(array(select json_array_elements_text(found)))
        from json_to_recordset(${JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE))}::json)
          as cue (cue_number int, start_ms int, end_ms int, speaker text, words text, found json)`.execute(tx)
  })
}
