import { sql } from 'kysely'
import { clearingJob, deleteOld, type Job } from '../../jobs/job.ts'
import { JOB_INTERVALS, RETENTION } from '../../jobs/retention.ts'
import { eventLeases, handleNextEvent } from '../../zoom/webhook-inbox.ts'
import { clearOAuthResults } from './clear-oauth-results.ts'
import { purgeDeauthorized } from './deauthorize-purge.ts'
import { handleEvent } from './webhook-handlers.ts'

/** Each webhook wakes the job; the interval is for retries and for the events of a dead node. */
export const handleZoomEvents: Job = {
  name: 'handle zoom events',
  every: 5_000,
  isLong: true,
  leases: eventLeases,
  async run(deps, signal) {
    while (!signal?.aborted && (await handleNextEvent(deps, handleEvent)));
    return 0 // each event has a request in the log already
  },
}

export const clearZoomEvents = clearingJob('clear zoom events', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'zoom_events', sql`received_at < ${new Date(now() - RETENTION.zoom_events)}`),
)

export const clearZoomErrors = clearingJob('clear zoom errors', JOB_INTERVALS.sixHours, ({ now }, tx) =>
  deleteOld(tx, 'zoom_errors', sql`began_at < ${new Date(now() - RETENTION.zoom_errors)}`),
)

export const clearOAuthStates = clearingJob('clear oauth states', JOB_INTERVALS.tenMinutes, ({ now }, tx) =>
  deleteOld(tx, 'oauth_states', sql`expires_at <= ${new Date(now())}`),
)

export const zoomAccountJobs = [
  handleZoomEvents,
  purgeDeauthorized,
  clearZoomEvents,
  clearZoomErrors,
  clearOAuthStates,
  clearOAuthResults,
]
