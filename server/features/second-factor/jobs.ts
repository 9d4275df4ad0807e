import { sql } from 'kysely'
import { HOUR_MS } from '../../../shared/dates.ts'
import { clearingJob, deleteOld, type Job } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import { PENDING_MS } from './totp.ts'

export const clearSignInChallenges = clearingJob('clear sign-in challenges', JOB_INTERVALS.tenMinutes, ({ now }, tx) =>
  deleteOld(tx, 'sign_in_challenges', sql`expires_at < ${new Date(now())}`),
)

export const clearFactorFailures = clearingJob('clear wrong second factors', JOB_INTERVALS.hour, ({ now }, tx) =>
  deleteOld(tx, 'second_factor_failures', sql`at < ${new Date(now() - HOUR_MS)}`),
)

export const clearPendingTotp = clearingJob('clear apps that are not set up', JOB_INTERVALS.hour, ({ now }, tx) =>
  deleteOld(tx, 'totp_secrets', sql`confirmed_at is null and created_at < ${new Date(now() - PENDING_MS)}`),
)

export const clearPasskeyChallenges = clearingJob('clear passkey challenges', JOB_INTERVALS.hour, ({ now }, tx) =>
  deleteOld(tx, 'passkey_challenges', sql`expires_at < ${new Date(now())}`),
)

/** Runs with a single server too, since whoever has access to the database can change the rule there. */
const readRequiredFactors: Job = {
  name: 'read who must have a second factor',
  every: 1_000,
  isLong: true, // other jobs may take longer than a changed rule may wait
  run: ({ requiredFactors }) => requiredFactors.refresh(),
}

export const secondFactorJobs = [
  readRequiredFactors,
  clearSignInChallenges,
  clearFactorFailures,
  clearPendingTotp,
  clearPasskeyChallenges,
]
