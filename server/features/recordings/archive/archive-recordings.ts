import { withJobLock } from '../../../db/job-lock.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Job } from '../../../jobs/job.ts'
import { JOB_INTERVALS } from '../../../jobs/retention.ts'
import { findMedia } from '../media.ts'
import type { RecordingRow } from '../recording-index.ts'
import { removeCopy } from './archive-file.ts'
import { archiveLeases, claimRecording, finishCopy, renewLease, reschedule } from './archive-rows.ts'
import { copyRecording } from './copy.ts'

const RENEW_MS = 15_000

/**
 * Copies completed recordings into the archive, newest first, within each host's storage limit. The next run resumes an
 * interrupted copy.
 */
export const archiveRecordings: Job = {
  name: 'archive recordings',
  every: JOB_INTERVALS.minute,
  isLong: true,
  leases: archiveLeases,
  async run(deps, signal) {
    let total = 0
    while (!signal?.aborted) {
      const claim = await withJobLock(deps.db, this.name, (tx) => claimRecording(deps, tx))
      if (!claim) break
      if (await archive(deps, claim, signal)) total++
    }
    return total
  },
}

async function archive(deps: Deps, claim: RecordingRow, stop?: AbortSignal): Promise<boolean> {
  const unwanted = new AbortController()
  const signal = AbortSignal.any([unwanted.signal, ...(stop ? [stop] : [])])
  const renewing = setInterval(async () => {
    const isWanted = await renewLease(deps, claim).catch((err: unknown) => {
      deps.log.warn({ err, recording_id: claim.id }, 'archive.lease_not_renewed')
      return true // the database may be unreachable for a moment; `finishCopy` checks the lease again
    })
    if (!isWanted) unwanted.abort()
  }, RENEW_MS)
  try {
    const media = await findMedia(deps, claim.id)
    const bytes = await copyRecording(deps, media, signal)
    const end = await finishCopy(deps, media, claim, bytes)
    if (end === 'no_room' || end === 'deleted') await removeCopy(deps, media.host_id, media)
    return end === 'done'
  } catch (err) {
    const isGone = err instanceof AppError && err.code === 'not_found' // moved to the trash, or deleted
    if (!isGone && !signal.aborted) deps.log.warn({ err, recording_id: claim.id }, 'archive.copy_failed')
    await reschedule(deps, claim, !isGone && !signal.aborted)
  } finally {
    clearInterval(renewing)
  }
  return false
}
