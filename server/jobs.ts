import { clearStays } from './features/attendance/clear-stays.ts'
import { clearAudit } from './features/audit/clear-audit.ts'
import { clearKnownDevices, clearSessions } from './features/auth/clear-sessions.ts'
import { purgeDeletedHosts } from './features/hosts/purge-deleted-hosts.ts'
import { endUnheardSessions } from './features/live-room/end-unheard-sessions.ts'
import { archiveRecordings } from './features/recordings/archive/archive-recordings.ts'
import { clearParts, clearTrash } from './features/recordings/archive/clear-archive.ts'
import { renewPasscodes } from './features/rooms/new-passcode.ts'
import { sweepHosts } from './features/rooms/sweep-hosts.ts'
import { sweepLiveRooms } from './features/rooms/sweep-live-rooms.ts'
import { endExpiredSessions } from './features/subscriptions/end-expired-sessions.ts'
import { clearOAuthResults } from './features/zoom-accounts/clear-oauth-results.ts'
import { clearOAuthStates } from './features/zoom-accounts/clear-oauth-states.ts'
import { purgeDeauthorized } from './features/zoom-accounts/deauthorize-purge.ts'
import type { Job } from './jobs/job.ts'
import { clearIdempotencyKeys } from './plugins/idempotency.ts'
import { clearZoomEvents } from './zoom/webhooks/inbox-clear.ts'

export const JOBS: Job[] = [
  endExpiredSessions,
  endUnheardSessions,
  purgeDeletedHosts,
  purgeDeauthorized,
  sweepLiveRooms,
  renewPasscodes,
  sweepHosts,
  clearTrash,
  clearParts,
  clearZoomEvents,
  clearOAuthStates,
  clearOAuthResults,
  clearIdempotencyKeys,
  clearSessions,
  clearKnownDevices,
  clearStays,
  clearAudit,
]

/** What may take hours: it has a row of its own, in which no other job waits. */
export const LONG_JOBS: Job[] = [archiveRecordings]
