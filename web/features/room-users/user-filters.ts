import { compareVersions, newestVersion } from '../../../shared/app-version.ts'
import type { RoomUser } from '../../../shared/room-users.ts'

/** Which users are shown. The names stand in addresses: other pages lead to a filtered list by them. */
export const USER_FILTERS = ['total', 'online', 'inactive', 'muted', 'never-signed-in', 'older-app'] as const
export type UserFilter = (typeof USER_FILTERS)[number]

export function isUserFilter(text: string): text is UserFilter {
  return USER_FILTERS.some((filter) => filter === text)
}

export type Apps = { newest: string | null; older: ReadonlySet<string> }

/** Of the phones of the room, each once. */
export function versionsOf(users: readonly Pick<RoomUser, 'app_version'>[]): string[] {
  return [...new Set(users.map(({ app_version }) => app_version || null))].filter((version) => version !== null)
}

/** The newest of these versions, and those that are older. */
export function appsOf(versions: readonly string[]): Apps {
  const newest = newestVersion(versions)
  return { newest, older: new Set(versions.filter((one) => newest !== null && compareVersions(one, newest) < 0)) }
}

type Filtered = Pick<RoomUser, 'is_online' | 'is_active' | 'is_muted' | 'login_time' | 'app_version'>

/** Inactive: may not sign in, online or not. */
export function userFilter(filter: UserFilter, { older }: Apps): (user: Filtered) => boolean {
  const filters: Record<UserFilter, (user: Filtered) => boolean> = {
    total: () => true,
    online: ({ is_online }) => is_online,
    inactive: ({ is_active }) => !is_active,
    muted: ({ is_muted }) => is_muted,
    'never-signed-in': ({ login_time }) => login_time === null,
    'older-app': ({ app_version }) => app_version !== null && older.has(app_version),
  }
  return filters[filter]
}

export function countUsers(users: readonly Filtered[], apps: Apps): Record<UserFilter, number> {
  const count = (filter: UserFilter) => users.filter(userFilter(filter, apps)).length
  return {
    total: users.length,
    online: count('online'),
    inactive: count('inactive'),
    muted: count('muted'),
    'never-signed-in': count('never-signed-in'),
    'older-app': count('older-app'),
  }
}
