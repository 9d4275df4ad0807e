import { sql } from 'kysely'
import { DeactivationReason } from '../../../shared/room-events.ts'
import { withJobLock } from '../../db/job-lock.ts'
import { clearingJob, deleteOld, type Job } from '../../jobs/job.ts'
import { JOB_INTERVALS, RETENTION } from '../../jobs/retention.ts'
import { KNOWN_DEVICE_MS } from './known-devices.ts'
import { signOutSessions } from './log-out.ts'

/** Ends an expired session and its streams, even without another request. */
export const endExpiredSessions: Job = {
  name: 'end expired sessions',
  every: JOB_INTERVALS.minute,
  async run({ db, sessions }) {
    const ended = await withJobLock(db, this.name, (tx) => sessions.endRows(tx, { is_expired: true }, 'expired'))
    if (ended) sessions.forget(ended, 'expired')
    return ended?.length ?? 0
  },
}

/** Notifies after a request that failed, but only after its commit. */
export const endUnnotifiedSessions: Job = {
  name: 'end unnotified sessions',
  every: 2_000,
  async run(deps) {
    const ended = await deps.sessions.findUnnotifiedEnds()
    for (const { session, reason } of ended) {
      const known = DeactivationReason.safeParse(reason)
      if (session.host_id && known.success)
        await signOutSessions(deps, session.host_id, [session], known.data).catch(() => {}) // a deleted host
      deps.sessions.forget([session], reason)
    }
    return ended.length
  },
}

/** Runs with a single server too, since whoever has access to the database can end sessions there. */
export const forgetSessionsEndedElsewhere: Job = {
  name: 'forget sessions ended elsewhere',
  every: 1_000,
  isLong: true, // other jobs may take longer than a session may last
  async run({ sessions, rooms }) {
    return (await sessions.forgetEndedElsewhere()) + (await sessions.forgetDeletedElsewhere(rooms.all()))
  },
}

export const endSessionsAfterPause: Job = {
  name: 'end sessions after a pause',
  every: 1_000,
  isLong: true, // it must give its sign whatever other jobs wait for
  run: ({ sessions }) => sessions.heartbeat(),
}

export const clearSessions = clearingJob('clear sessions', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'sessions', sql`ended_at < ${new Date(now() - RETENTION.sessions)}`),
)

export const clearKnownDevices = clearingJob('clear known devices', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'known_devices', sql`last_seen_at < ${new Date(now() - KNOWN_DEVICE_MS)}`),
)

export const clearPhoneRequests = clearingJob('clear phone requests', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'phone_requests', sql`requested_at < ${new Date(now() - RETENTION.phone_requests)}`),
)

export const clearSignInLinks = clearingJob('clear sign-in links', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'sign_in_links', sql`expires_at < ${new Date(now())}`),
)

export const clearAccountLinks = clearingJob('clear account links', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'account_links', sql`expires_at < ${new Date(now())}`),
)

export const authJobs = [
  endExpiredSessions,
  endUnnotifiedSessions,
  forgetSessionsEndedElsewhere,
  endSessionsAfterPause,
  clearSessions,
  clearKnownDevices,
  clearPhoneRequests,
  clearSignInLinks,
  clearAccountLinks,
]
