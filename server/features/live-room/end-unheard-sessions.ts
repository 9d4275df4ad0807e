import { DeactivationReason } from '../../../shared/room-events.ts'
import type { Job } from '../../jobs/job.ts'
import { signOutHost } from '../auth/sign-out-host.ts'

/** Signs out here whom the database has signed out by a transaction that failed only after its commit. */
export const endUnheardSessions: Job = {
  name: 'end unheard sessions',
  every: 2_000,
  async run(deps) {
    const ended = await deps.sessions.endedUnheard()
    for (const { session, reason } of ended) {
      const known = DeactivationReason.safeParse(reason)
      if (session.host_id && known.success)
        await signOutHost(deps, session.host_id, [session], known.data).catch(() => {}) // the host may be gone as well
      deps.sessions.dropped([session], reason)
    }
    return ended.length
  },
}
