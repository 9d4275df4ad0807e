/**
 * Limits how many users the bulk acts of a host name in the audit: 50,000 at once, and as many per day after that. The
 * row of any further act has only their count.
 */
export const LISTED_USERS = {
  name: 'listed users',
  burst: 50_000,
  perSecond: 50_000 / 86_400,
  message: 'No more users are listed today.',
}
