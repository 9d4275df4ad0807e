import { compareVersions, newestVersion } from '../../../shared/app-version.ts'
import type { RoomUser } from '../../../shared/room-users.ts'

/** Filters of the list. Other pages link to a filtered list by these names. */
export const USER_FILTERS = [
  'total',
  'online',
  'inactive',
  'muted',
  'never-signed-in',
  'open-link',
  'older-app',
] as const
export type UserFilter = (typeof USER_FILTERS)[number]

export function isUserFilter(text: string): text is UserFilter {
  return USER_FILTERS.some((filter) => filter === text)
}

export type Apps = { newest: string | null; older: ReadonlySet<string> }

/** Lists the app versions of the room's phones, without duplicates. */
export function versionsOf(users: readonly Pick<RoomUser, 'app_version'>[]): string[] {
  return [...new Set(users.map(({ app_version }) => app_version || null))].filter((version) => version !== null)
}

/** Splits off the versions that are older than the newest. */
export function appsOf(versions: readonly string[]): Apps {
  const newest = newestVersion(versions)
  return { newest, older: new Set(versions.filter((one) => newest !== null && compareVersions(one, newest) < 0)) }
}

type Filtered = Pick<RoomUser, 'id' | 'is_online' | 'is_active' | 'is_muted' | 'login_time' | 'app_version'>

/** The ids of users who have an unused one-time link. */
export type OpenLinks = Pick<ReadonlySet<string>, 'has'>

/** Inactive users may not sign in, whether or not they are online. */
export function userFilter(filter: UserFilter, { older }: Apps, links: OpenLinks): (user: Filtered) => boolean {
  const filters: Record<UserFilter, (user: Filtered) => boolean> = {
    total: () => true,
    online: ({ is_online }) => is_online,
    inactive: ({ is_active }) => !is_active,
    muted: ({ is_muted }) => is_muted,
    'never-signed-in': ({ login_time }) => login_time === null,
    'open-link': ({ id }) => links.has(id),
    'older-app': ({ app_version }) => app_version !== null && older.has(app_version),
  }
  return filters[filter]
}

export function countUsers(users: readonly Filtered[], apps: Apps, links: OpenLinks): Record<UserFilter, number> {
  const count = (filter: UserFilter) => users.filter(userFilter(filter, apps, links)).length
  return {
    total: users.length,
    online: count('online'),
    inactive: count('inactive'),
    muted: count('muted'),
    'never-signed-in': count('never-signed-in'),
    'open-link': count('open-link'),
    'older-app': count('older-app'),
  }
}
