import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { EVERY, KEPT } from '../../jobs/retention.ts'
import { KNOWN_MS } from './known-devices.ts'

export const clearSessions = clearingJob('clear sessions', EVERY.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'sessions', sql`ended_at < ${new Date(now() - KEPT.sessions)}`),
)

export const clearKnownDevices = clearingJob('clear known devices', EVERY.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'known_devices', sql`seen_at < ${new Date(now() - KNOWN_MS)}`),
)
