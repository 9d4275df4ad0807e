import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { EVERY, KEPT } from '../../jobs/retention.ts'
import { clearOAuthResults } from './clear-oauth-results.ts'
import { purgeDeauthorized } from './deauthorize-purge.ts'

export const clearZoomEvents = clearingJob('clear zoom events', EVERY.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'zoom_events', sql`received_at < ${new Date(now() - KEPT.zoom_events)}`),
)

export const clearOAuthStates = clearingJob('clear oauth states', EVERY.tenMinutes, ({ now }, tx) =>
  deleteOld(tx, 'oauth_states', sql`expires_at <= ${new Date(now())}`),
)

export const zoomAccountJobs = [purgeDeauthorized, clearZoomEvents, clearOAuthStates, clearOAuthResults]
