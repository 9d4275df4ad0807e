import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { EVERY, RETENTION } from '../../jobs/retention.ts'
import { renewPasscodes } from './change-passcode.ts'
import { sweepHosts } from './sweep-hosts.ts'
import { sweepLiveRooms } from './sweep-live-rooms.ts'

export const clearSittings = clearingJob('clear sittings', EVERY.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'sittings', sql`greatest(live_told_at, looked_at) < ${new Date(now() - RETENTION.zoom_events)}`),
)

export const roomJobs = [sweepLiveRooms, renewPasscodes, sweepHosts, clearSittings]
