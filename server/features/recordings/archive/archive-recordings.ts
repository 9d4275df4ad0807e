import { onOneNode } from '../../../db/on-one-node.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Job } from '../../../jobs/job.ts'
import { EVERY } from '../../../jobs/retention.ts'
import { MediaSource } from '../media.ts'
import { removeCopy } from './archive-file.ts'
import { type Claim, claimedMedia, finish, putOff, renew, takeNext } from './archive-rows.ts'
import { copyRecording } from './copy.ts'

const RENEW_MS = 15_000

/**
 * Copies completed recordings into the archive, the newest first, as far as each host's storage reaches: so they outlive
 * Zoom's own deletion. Cut off at any point, the next run goes on from there.
 */
export const archiveRecordings: Job = {
  name: 'archive recordings',
  every: EVERY.minute,
  isLong: true,
  async run(deps, signal) {
    const source = new MediaSource(deps)
    let total = 0
    while (!signal?.aborted) {
      const claim = await onOneNode(deps.db, this.name, (tx) => takeNext(deps, tx))
      if (!claim) break
      if (await archive(deps, source, claim, signal)) total++
    }
    return total
  },
}

async function archive(deps: Deps, source: MediaSource, claim: Claim, stop?: AbortSignal): Promise<boolean> {
  const unwanted = new AbortController()
  const signal = AbortSignal.any([unwanted.signal, ...(stop ? [stop] : [])])
  const renewing = setInterval(async () => {
    const isWanted = await renew(deps, claim).catch((err: unknown) => {
      deps.log.warn({ err, recording_id: claim.id }, 'archive.lease_not_renewed')
      return true // the database may be away for a moment; `finish` checks the lease again
    })
    if (!isWanted) unwanted.abort()
  }, RENEW_MS)
  try {
    const media = await claimedMedia(deps, claim)
    const bytes = await copyRecording(deps, source, media, signal)
    const end = await finish(deps, media, claim, bytes)
    if (end === 'no_room' || end === 'deleted') await removeCopy(deps, media.host_id, media)
    return end === 'done'
  } catch (err) {
    const isGone = err instanceof AppError && err.code === 'not_found' // its row knows, or is no more
    if (!isGone && !signal.aborted) deps.log.warn({ err, recording_id: claim.id }, 'archive.copy_failed')
    await putOff(deps, claim, !isGone && !signal.aborted)
  } finally {
    clearInterval(renewing)
  }
  return false
}
