/**
 * How many users the bulk acts of a host name in the audit: 50,000 at once, and as many a day after that. The row of an act
 * beyond that says how many they were.
 */
export const LISTED_USERS = {
  name: 'listed users',
  burst: 50_000,
  perSecond: 50_000 / 86_400,
  message: 'No more users are listed today.',
}
