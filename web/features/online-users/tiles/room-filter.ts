import { normaliseForComparison } from '../../../../shared/normalise.ts'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { userMatcher } from '../../../widgets/room-user/match-user.ts'

export const STATES = ['speaking', 'wants-to-speak', 'muted', 'not-answering', 'not-confirmed', 'app-only'] as const
/** States that a host looks for; a user may be in several. */
export type StateFilter = (typeof STATES)[number]

type Counted = Pick<
  RoomUser,
  'is_speaking' | 'wants_to_speak' | 'is_muted' | 'asleep' | 'pending_command' | 'in_meeting'
>

/** Before the meeting runs everyone is only in the app, so that state counts nobody. */
export function matchesState(state: StateFilter, user: Counted, meetingRuns: boolean): boolean {
  switch (state) {
    case 'speaking':
      return user.is_speaking
    case 'wants-to-speak':
      return user.wants_to_speak
    case 'muted':
      return user.is_muted
    case 'not-answering':
      return user.asleep
    case 'not-confirmed':
      return user.pending_command !== null
    case 'app-only':
      return meetingRuns && user.in_meeting === false
  }
}

export function countStates(users: readonly Counted[], meetingRuns: boolean): Record<StateFilter, number> {
  const counts = { speaking: 0, 'wants-to-speak': 0, muted: 0, 'not-answering': 0, 'not-confirmed': 0, 'app-only': 0 }
  for (const user of users) for (const state of STATES) if (matchesState(state, user, meetingRuns)) counts[state]++
  return counts
}

/** Zoom reports its first participant before it reports the start of the meeting. */
export function doesMeetingRun(isLive: boolean, users: readonly Pick<RoomUser, 'in_meeting'>[]): boolean {
  return isLive || users.some((user) => user.in_meeting === true)
}

/** A reference text makes a group; users without one are a group too. */
export const NO_REFERENCE = ''

const groupKeys = new WeakMap<Pick<RoomUser, 'reference'>, string>()

function groupKeyOf(user: Pick<RoomUser, 'reference'>): string {
  const cached = groupKeys.get(user)
  if (cached !== undefined) return cached
  const key = normaliseForComparison(user.reference ?? '').trim()
  groupKeys.set(user, key)
  return key
}

const inOrder = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Counts the users of each reference, under the first spelling of its name; empty if nobody has a reference. */
export function countGroups(users: readonly Pick<RoomUser, 'reference'>[]): ReadonlyMap<string, number> {
  const groups = new Map<string, { name: string; count: number }>()
  for (const user of users) {
    const key = groupKeyOf(user)
    const group = groups.get(key)
    if (group) group.count++
    else groups.set(key, { name: (user.reference ?? '').trim(), count: 1 })
  }
  if (groups.size === 1 && groups.has(NO_REFERENCE)) return new Map()
  // Users without a reference come last.
  const sorted = [...groups.values()].sort(
    (one, other) => Number(one.name === '') - Number(other.name === '') || inOrder.compare(one.name, other.name),
  )
  return new Map(sorted.map(({ name, count }) => [name, count]))
}

/** Counts the users of each of the host's groups, by id; groups without any are left out. */
export function countMembers(users: readonly Pick<RoomUser, 'group_ids'>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { group_ids } of users) for (const id of group_ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** A group that the host made, or one that a reference makes. */
export type ChosenGroup = { id: string } | { reference: string }

export type RoomFilter = { words: string; state: StateFilter | null; group: ChosenGroup | null }
export const NO_FILTER: RoomFilter = { words: '', state: null, group: null }

export function filterUsers(
  users: readonly RoomUser[],
  { words, state, group }: RoomFilter,
  meetingRuns: boolean,
): readonly RoomUser[] {
  const matches = userMatcher(words)
  const isInGroup = groupMatcher(group)
  return users.filter(
    (user) => isInGroup(user) && (state === null || matchesState(state, user, meetingRuns)) && matches(user),
  )
}

function groupMatcher(group: ChosenGroup | null): (user: RoomUser) => boolean {
  if (group === null) return () => true
  if ('id' in group) return ({ group_ids }) => group_ids.includes(group.id)
  const key = normaliseForComparison(group.reference).trim()
  return (user) => groupKeyOf(user) === key
}
