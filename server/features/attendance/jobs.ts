import { sql } from 'kysely'
import { PRESENCE_LEASE_MS } from '../../../shared/room-events.ts'
import { clearingJob, deleteOld, type Job } from '../../jobs/job.ts'
import { EVERY, RETENTION } from '../../jobs/retention.ts'
import { closeForgottenStays } from './stays.ts'

export const clearStays = clearingJob('clear stays', EVERY.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'stays', sql`left_at < ${new Date(now() - RETENTION.stays)}`),
)

/** A stay that was open when Redis lost who is online: nobody notices that its user does not come back. */
export const endForgottenStays: Job = {
  name: 'end forgotten stays',
  every: EVERY.minute,
  async run({ config, db, rooms, now }) {
    if (!config.REDIS_URL) return 0
    let count = 0
    for (const room of rooms.inStep())
      count += await closeForgottenStays(db, room.id, room.onlineIds(), new Date(now() - PRESENCE_LEASE_MS))
    return count
  },
}

export const attendanceJobs = [clearStays, endForgottenStays]
