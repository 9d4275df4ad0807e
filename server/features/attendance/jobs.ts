import { sql } from 'kysely'
import { clearingJob, deleteOld, type Job } from '../../jobs/job.ts'
import { JOB_INTERVALS, keptFrom } from '../../jobs/retention.ts'
import { findHostsWithOpenStays, readOpenStays } from './stays.ts'

export const clearStays = clearingJob('clear stays', JOB_INTERVALS.sixHours, (deps, tx) =>
  deleteOld(tx, 'stays', sql`left_at < ${keptFrom(deps, deps.config.RETENTION_ATTENDANCE_DAYS)}`),
)

export const clearSpeeches = clearingJob('clear speeches', JOB_INTERVALS.sixHours, (deps, tx) =>
  deleteOld(tx, 'speeches', sql`ended_at < ${keptFrom(deps, deps.config.RETENTION_ATTENDANCE_DAYS)}`),
)

/**
 * Matches the open stays of rooms that servers share with the online users: a server may have been killed before it
 * wrote, or Redis may have lost the state.
 */
export const correctStays: Job = {
  name: 'correct stays',
  every: JOB_INTERVALS.minute,
  async run({ config, db, rooms, stays }) {
    if (!config.REDIS_URL) return 0
    const inMemory = new Set(rooms.all().map(({ hostId }) => hostId))
    for (const hostId of await findHostsWithOpenStays(db)) if (!inMemory.has(hostId)) await rooms.get(hostId)
    let count = 0
    for (const room of rooms.all().filter(({ knowsWhoIsOnline }) => knowsWhoIsOnline)) {
      await stays.flush()
      const open = new Map((await readOpenStays(db, room.id)).map((stay) => [stay.room_user_id, stay.joined_at]))
      const { online, lastSeen } = room.attendance()
      const missing = online.filter(({ id }) => !open.has(id))
      for (const user of missing) stays.record(room.id, user, true)
      for (const [id, joinedAt] of open) {
        if (!lastSeen.has(id)) continue
        stays.record(room.id, { id, user_id: '', username: '' }, false, lastSeen.get(id) ?? joinedAt)
        count++
      }
      count += missing.length
    }
    return count
  },
}

export const attendanceJobs = [clearStays, clearSpeeches, correctStays]
