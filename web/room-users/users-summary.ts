import type { RoomUser } from '../../shared/room-users.ts'

/** The numbers above the table. Inactive are those who may not log in, online or not. */
export function usersSummary(users: readonly Pick<RoomUser, 'is_online' | 'is_active'>[]) {
  return {
    total: users.length,
    online: users.filter((user) => user.is_online).length,
    inactive: users.filter((user) => !user.is_active).length,
  }
}
