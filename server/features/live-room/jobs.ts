import { DeactivationReason } from '../../../shared/room-events.ts'
import type { Job } from '../../jobs/job.ts'
import { signOutSessions } from '../auth/log-out.ts'

/** Signs out here whom the database has signed out by a transaction that failed only after its commit. */
export const endUnheardSessions: Job = {
  name: 'end unheard sessions',
  every: 2_000,
  async run(deps) {
    const ended = await deps.sessions.findUnnotifiedEnds()
    for (const { session, reason } of ended) {
      const known = DeactivationReason.safeParse(reason)
      if (session.host_id && known.success)
        await signOutSessions(deps, session.host_id, [session], known.data).catch(() => {}) // the host may be gone as well
      deps.sessions.forget([session], reason)
    }
    return ended.length
  },
}

export const liveRoomJobs = [endUnheardSessions]
