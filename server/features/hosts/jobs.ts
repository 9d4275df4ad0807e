import { SYSTEM } from '../../db/actor.ts'
import { withJobLock } from '../../db/job-lock.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { RETENTION_MS } from './hosts.ts'
import { purgeHost } from './purge-host.ts'

/** A purge that has not ended after this long was interrupted, and is resumed. */
const INTERRUPTED_MS = 10 * 60_000

/** Purges hosts that were deleted 30 days ago. A failed purge does not hold up the others. */
export const purgeDeletedHosts: Job = {
  name: 'purge deleted hosts',
  every: JOB_INTERVALS.hour,
  async run(deps, signal) {
    let total = 0
    while (!signal?.aborted) {
      const id = await withJobLock(deps.db, this.name, (tx) => claimNext(deps, tx))
      if (!id) break
      try {
        await purgeHost(deps, id, SYSTEM)
        total++
      } catch (error) {
        deps.log.error({ err: error, host_id: id }, 'host.purge_failed')
      }
    }
    return total
  },
}

/** Claims the next due host, so that no other node takes it too. */
async function claimNext({ now }: Deps, tx: Deps['db']): Promise<string | null> {
  const at = now()
  const due = await tx
    .updateTable('hosts')
    .set({ purge_started_at: new Date(at) })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('hosts')
        .select('id')
        .where('deleted_at', 'is not', null)
        .where((or) =>
          or.or([
            or.and([or('purge_started_at', 'is', null), or('deleted_at', '<=', new Date(at - RETENTION_MS))]),
            or('purge_started_at', '<=', new Date(at - INTERRUPTED_MS)),
          ]),
        )
        .orderBy('deleted_at')
        .limit(1),
    )
    .returning('id')
    .executeTakeFirst()
  return due?.id ?? null
}

export const hostJobs = [purgeDeletedHosts]
