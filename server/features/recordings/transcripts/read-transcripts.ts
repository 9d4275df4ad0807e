import { withJobLock } from '../../../db/job-lock.ts'
import type { Deps } from '../../../deps.ts'
import type { Job } from '../../../jobs/job.ts'
import { JOB_INTERVALS } from '../../../jobs/retention.ts'
import { MAX_CUES, parseWebVtt } from './parse-webvtt.ts'
import {
  claimTranscript,
  markUnreadable,
  retryLater,
  saveLines,
  type TranscriptRow,
  transcriptLeases,
} from './transcript-rows.ts'

const MAX_BYTES = 5 * 1024 ** 2
const PATIENCE_MS = 60_000
const TEXT_TYPES = /^text\/(vtt|plain)|^(application|binary)\/octet-stream/

class TooLarge extends Error {}

/** Reads the transcripts that Zoom has made of recordings, newest first, one after another. */
export const readTranscripts: Job = {
  name: 'read transcripts',
  every: JOB_INTERVALS.minute,
  isLong: true,
  leases: transcriptLeases,
  async run(deps, signal) {
    let total = 0
    while (!signal?.aborted) {
      const claim = await withJobLock(deps.db, this.name, (tx) => claimTranscript(deps, tx))
      if (!claim) break
      if (await readTranscript(deps, claim, signal)) total++
    }
    return total
  },
}

async function readTranscript(deps: Deps, claim: TranscriptRow, stop?: AbortSignal): Promise<boolean> {
  try {
    const parsed = parseWebVtt(await fetchText(deps, claim, stop))
    if (!parsed || (parsed.cues.length === 0 && parsed.skipped_at_ms !== null)) {
      deps.log.warn({ transcript_id: claim.id }, 'transcript.damaged')
      await markUnreadable(deps, claim, 'damaged')
    } else if (parsed.cues.length > MAX_CUES) await markUnreadable(deps, claim, 'too_large')
    else await saveLines(deps, claim, parsed.cues, parsed.skipped_at_ms)
    return true
  } catch (err) {
    if (err instanceof TooLarge) await markUnreadable(deps, claim, 'too_large')
    else {
      if (!stop?.aborted) deps.log.warn({ err, transcript_id: claim.id }, 'transcript.not_read')
      await retryLater(deps, claim)
    }
    return false
  }
}

async function fetchText({ db, mediaSource }: Deps, claim: TranscriptRow, stop?: AbortSignal): Promise<string> {
  if ((claim.file_size ?? 0) > MAX_BYTES) throw new TooLarge()
  const { host_id } = await db
    .selectFrom('rooms')
    .select('host_id')
    .where('id', '=', claim.room_id)
    .executeTakeFirstOrThrow()
  const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(stop ? [stop] : [])])
  const answer = await mediaSource.openFile({ ...claim, host_id }, { range: undefined, signal }, TEXT_TYPES)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BYTES) throw new TooLarge()
      chunks.push(chunk)
    }
  } finally {
    answer.destroy()
  }
  return Buffer.concat(chunks).toString('utf8')
}
