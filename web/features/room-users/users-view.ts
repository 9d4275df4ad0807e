import { compareVersions } from '../../../shared/app-version.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { userMatcher } from '../../widgets/room-user/match-user.ts'
import { type Apps, isUserFilter, type OpenLinks, type UserFilter, userFilter } from './user-filters.ts'

/** The list's filters and order, which the page's address keeps. */
export type UsersView = {
  words: string
  show: UserFilter
  /** A day in the reader's time zone, as 2026-11-23. */
  seenBefore: string | null
  /** The id of a group. */
  group: string | null
  /** Null keeps the order in which the users were added. */
  sort: UserSort | null
  descending: boolean
}

export const INITIAL_USERS_VIEW: UsersView = {
  words: '',
  show: 'total',
  seenBefore: null,
  group: null,
  sort: null,
  descending: false,
}

const STATUS_ORDER = ['Online', 'Active', 'C', 'S']

/** Sort keys; null comes last in either direction. */
export const USER_SORTS = {
  'user-id': ({ user_id }) => user_id,
  phone: ({ device_model }) => device_model,
  username: ({ username }) => username,
  reference: ({ reference }) => reference || null,
  login: ({ login_time }) => login_time,
  platform: ({ platform }) => platform,
  version: ({ app_version }) => app_version,
  status: ({ status, asleep }) => STATUS_ORDER.indexOf(status) * 2 + (asleep ? 1 : 0),
} satisfies Record<string, (user: RoomUser) => string | number | null>

export type UserSort = keyof typeof USER_SORTS

export function isUserSort(text: string): text is UserSort {
  return Object.hasOwn(USER_SORTS, text)
}

export function readUsersView(params: URLSearchParams): UsersView {
  const show = params.get('show') ?? ''
  const day = params.get('seen-before') ?? ''
  const sorted = params.get('sort') ?? ''
  const sort = sorted.replace(/^-/, '')
  return {
    words: params.get('filter') ?? '',
    show: isUserFilter(show) ? show : INITIAL_USERS_VIEW.show,
    seenBefore: isCalendarDay(day) ? day : null,
    group: params.get('group') || null,
    ...(isUserSort(sort) ? { sort, descending: sorted.startsWith('-') } : { sort: null, descending: false }),
  }
}

function isCalendarDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** Writes the view into the address. Defaults are omitted, and other parameters stay. */
export function withUsersView(params: URLSearchParams, view: UsersView): URLSearchParams {
  const next = new URLSearchParams(params)
  const fields = {
    filter: view.words,
    show: view.show === INITIAL_USERS_VIEW.show ? '' : view.show,
    'seen-before': view.seenBefore ?? '',
    group: view.group ?? '',
    sort: view.sort === null ? '' : `${view.descending ? '-' : ''}${view.sort}`,
  }
  for (const [name, value] of Object.entries(fields)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/** Filters and sorts the users. */
export function applyUsersView(users: readonly RoomUser[], view: UsersView, apps: Apps, links: OpenLinks): RoomUser[] {
  const found = users.filter(userFilter(view.show, apps, links)).filter(userMatcher(view.words))
  const { group } = view
  const members = group === null ? found : found.filter(({ group_ids }) => group_ids.includes(group))
  const seen = view.seenBefore === null ? members : members.filter(seenBefore(view.seenBefore))
  return view.sort === null ? seen : sortUsers(seen, view.sort, view.descending)
}

/** True if the user was online before this day began in the reader's time zone, and not since. */
function seenBefore(day: string): (user: RoomUser) => boolean {
  const start = new Date(`${day}T00:00`).getTime()
  return ({ is_online, last_seen }) => !is_online && last_seen !== null && Date.parse(last_seen) < start
}

const { compare: compareTexts } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const compareMoments = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

function sortUsers(users: RoomUser[], sort: UserSort, descending: boolean): RoomUser[] {
  const keyOf: (user: RoomUser) => string | number | null = USER_SORTS[sort]
  const compare = sort === 'version' ? compareVersions : sort === 'login' ? compareMoments : compareTexts
  const direction = descending ? -1 : 1
  return users
    .map((user) => ({ user, key: keyOf(user) }))
    .sort(({ key: one }, { key: other }) => {
      if (one === other) return 0
      if (one === null || other === null) return one === null ? 1 : -1
      if (typeof one === 'string' && typeof other === 'string') return direction * compare(one, other)
      return one < other ? -direction : direction
    })
    .map(({ user }) => user)
}
