import { sql } from 'kysely'
import { clearingJob, deleteOld } from '../../jobs/job.ts'
import { EVERY } from '../../jobs/retention.ts'

export const clearOAuthStates = clearingJob('clear oauth states', EVERY.tenMinutes, ({ now }, tx) =>
  deleteOld(tx, 'oauth_states', sql`expires_at <= ${new Date(now())}`),
)
