import type { RoomUser } from '../../../shared/room-users.ts'

/** The numbers above the table, each a filter of the users it counts. Inactive: may not log in, online or not. */
export const USER_CARDS = ['total', 'online', 'inactive'] as const
export type UserCard = (typeof USER_CARDS)[number]

type Counted = Pick<RoomUser, 'is_online' | 'is_active'>

const COUNTS: Record<UserCard, (user: Counted) => boolean> = {
  total: () => true,
  online: (user) => user.is_online,
  inactive: (user) => !user.is_active,
}

export function isCounted(card: UserCard): (user: Counted) => boolean {
  return COUNTS[card]
}

export function usersSummary(users: readonly Counted[]): Record<UserCard, number> {
  const count = (card: UserCard) => users.filter(isCounted(card)).length
  return { total: count('total'), online: count('online'), inactive: count('inactive') }
}
