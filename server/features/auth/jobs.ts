import { sql } from 'kysely'
import { withJobLock } from '../../db/job-lock.ts'
import { clearingJob, deleteOld, type Job } from '../../jobs/job.ts'
import { EVERY, RETENTION } from '../../jobs/retention.ts'
import { KNOWN_DEVICE_MS } from './known-devices.ts'

/** A session whose time is over ends even when nobody asks for anything any more, and its streams with it. */
export const endExpiredSessions: Job = {
  name: 'end expired sessions',
  every: EVERY.minute,
  async run({ db, sessions }) {
    const ended = await withJobLock(db, this.name, (tx) => sessions.endRows(tx, { is_expired: true }, 'expired'))
    if (ended) sessions.forget(ended, 'expired')
    return ended?.length ?? 0
  },
}

export const clearSessions = clearingJob('clear sessions', EVERY.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'sessions', sql`ended_at < ${new Date(now() - RETENTION.sessions)}`),
)

export const clearKnownDevices = clearingJob('clear known devices', EVERY.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'known_devices', sql`seen_at < ${new Date(now() - KNOWN_DEVICE_MS)}`),
)

export const authJobs = [endExpiredSessions, clearSessions, clearKnownDevices]
