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
const LOOK_MS = 200

/**
 * Copies completed recordings into the archive, the newest first, as far as each host's storage reaches: so they outlive
 * Zoom's own deletion. Cut off at any point, the next run goes on from there.
 */
export const archiveRecordings: Job = {
  name: 'archive recordings',
  every: EVERY.minute,
  async run(deps, isStopping = () => false) {
    const source = new MediaSource(deps)
    let total = 0
    while (!isStopping()) {
      const claim = await onOneNode(deps.db, this.name, (tx) => takeNext(deps, tx))
      if (!claim) break
      if (await archive(deps, source, claim, isStopping)) total++
    }
    return total
  },
}

async function archive(deps: Deps, source: MediaSource, claim: Claim, isStopping: () => boolean): Promise<boolean> {
  const leaving = new AbortController()
  const stop = watch(deps, claim, leaving, isStopping)
  try {
    const media = await claimedMedia(deps, claim)
    const bytes = await copyRecording(deps, source, media, leaving.signal)
    const end = await finish(deps, media, claim, bytes)
    if (end === 'no_room' || end === 'deleted') await removeCopy(deps, media.host_id, media)
    return end === 'done'
  } catch (err) {
    const isGone = err instanceof AppError && err.code === 'not_found' // its row knows, or is no more
    if (!isGone && !leaving.signal.aborted)
      deps.log.warn({ err, recording_id: claim.id }, 'A recording could not be archived; it is tried again')
    await putOff(deps, claim, !isGone && !leaving.signal.aborted)
  } finally {
    stop()
  }
  return false
}

/** Ends the copying when the server stops, and when the copy is no longer wanted. */
function watch(deps: Deps, claim: Claim, leaving: AbortController, isStopping: () => boolean): () => void {
  const renewing = setInterval(async () => {
    const isWanted = await renew(deps, claim).catch((err: unknown) => {
      deps.log.warn({ err, recording_id: claim.id }, 'The lease of an archived recording could not be renewed')
      return true // the database may be away for a moment; the last step asks it again
    })
    if (!isWanted) leaving.abort()
  }, RENEW_MS)
  const looking = setInterval(() => isStopping() && leaving.abort(), LOOK_MS)
  return () => {
    clearInterval(renewing)
    clearInterval(looking)
  }
}
