import type { Deps } from '../../deps.ts'

/**
 * Limits how many users the bulk actions of a host name in the audit: 50,000 at once, and as many per day after that.
 * The row of any further action has only their count.
 */
export const LISTED_USERS_LIMIT = {
  name: 'listed users',
  burst: 50_000,
  perSecond: 50_000 / 86_400,
  message: 'No more users are listed today.',
}

/** Limits in the same way how many actions on one user keep what they wrote of its names. */
export const LISTED_NAMES = { ...LISTED_USERS_LIMIT, name: 'listed names' }

const NOT_LISTED = '[not listed]'

/** Returns what an action wrote of one user's names; once the host's audit lists no more, only which fields. */
export function namesForAudit(
  { listedNames }: Deps,
  host_id: string,
  { before, after = {} }: { before?: object; after?: object },
): { before?: object | undefined; after: object } {
  if (listedNames.tryTake(host_id, 1)) return { before, after }
  const written = Object.entries(after).filter(([, value]) => value !== undefined)
  return { after: Object.fromEntries(written.map(([field]) => [field, NOT_LISTED])) }
}
