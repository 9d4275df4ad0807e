import { DeactivationReason } from '../../../shared/room-events.ts'
import type { Job } from '../../jobs/job.ts'
import { signOutSessions } from '../auth/log-out.ts'

/** After a transaction that failed, but only after its commit. */
export const endUnnotifiedSessions: Job = {
  name: 'end unnotified sessions',
  every: 2_000,
  async run(deps) {
    const ended = await deps.sessions.findUnnotifiedEnds()
    for (const { session, reason } of ended) {
      const known = DeactivationReason.safeParse(reason)
      if (session.host_id && known.success)
        await signOutSessions(deps, session.host_id, [session], known.data).catch(() => {}) // the host may be deleted too
      deps.sessions.forget([session], reason)
    }
    return ended.length
  },
}

export const liveRoomJobs = [endUnnotifiedSessions]
