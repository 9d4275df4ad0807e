import { normaliseForComparison, visibleForm } from '../../../../shared/normalise.ts'
import { ImportedRoomUser, type RoomUser } from '../../../../shared/room-users.ts'
import {
  GROUP_SEPARATOR,
  GROUPS_MAX,
  groupKey,
  TOO_MANY_GROUPS,
  type UserGroup,
} from '../../../../shared/user-groups.ts'
import { generatePassword } from '../../../lib/generate-password.ts'
import type { PersonRow } from './read-people.ts'

/**
 * A row as it would be added, with empty cells filled in. A row with a fault is skipped; its User ID is then that of
 * the list, or of the user who has the name.
 */
export type CheckedPerson = { line: number; user: ImportedRoomUser; isGenerated: boolean } & Fault

type Fault = { fault: string | null; isInRoom: boolean }
const keyOf = (name: string) => visibleForm(normaliseForComparison(name))
const NO_FAULT: Fault = { fault: null, isInRoom: false }

type ExistingUsers = {
  users: readonly Pick<RoomUser, 'username' | 'user_id'>[]
  groups: readonly Pick<UserGroup, 'name'>[]
  nextUserId: string
}

/** Previews an import without changing anything. */
export function dryRun(
  people: readonly PersonRow[],
  room: ExistingUsers,
  generate = generatePassword,
): CheckedPerson[] {
  const taken: Taken = {
    username: new Map(room.users.map(({ username, user_id }) => [keyOf(username), { user_id }])),
    user_id: new Map(room.users.map(({ user_id }) => [keyOf(user_id), { user_id }])),
  }
  const userIds = freeUserIds(room, people)
  let free = userIds.next().value
  const groups = new Set(room.groups.map(({ name }) => groupKey(name)))

  return people.map(({ line, username, user_id, password, reference, groups: names }) => {
    const user = {
      ...{ username, user_id: user_id || free, password: password || generate(), reference },
      groups: splitGroups(names),
    }
    const found = faultOf(user, taken, groups)
    const holder = taken.username.get(keyOf(username))
    if (found.fault !== null) {
      const shown = user_id || (found.isInRoom ? (holder?.user_id ?? '') : '')
      return { line, user: { ...user, user_id: shown }, isGenerated: password === '', ...found }
    }
    if (user_id === '') free = userIds.next().value // skipped rows use up no ID
    for (const name of user.groups) groups.add(groupKey(name))
    taken.username.set(keyOf(username), { user_id: user.user_id, line })
    taken.user_id.set(keyOf(user.user_id), { user_id: user.user_id, line })
    return { line, user, isGenerated: password === '', ...found }
  })
}

/** The user who has a name already: in the room, or on a line above. */
type Holder = { user_id: string; line?: number }
type Taken = Record<'username' | 'user_id', Map<string, Holder>>

function faultOf(user: ImportedRoomUser, taken: Taken, groups: ReadonlySet<string>): Fault {
  const read = ImportedRoomUser.safeParse(user)
  if (!read.success) {
    const [issue] = read.error.issues
    if (issue?.path[0] === 'groups') return { fault: groupFault(issue), isInRoom: false }
    const isTooLong = issue?.code === 'too_big' && issue.path[0] !== 'user_id'
    const message = isTooLong
      ? `The ${String(issue.path[0])} has more than ${issue.maximum} characters`
      : (issue?.message ?? 'This row cannot be read')
    return { fault: message, isInRoom: false }
  }
  const name = taken.username.get(keyOf(user.username))
  if (name) return takenFault('This username', name)
  const id = taken.user_id.get(keyOf(user.user_id))
  if (id) return { ...takenFault(`The User ID ${user.user_id}`, id), isInRoom: false }
  const all = groups.union(new Set(user.groups?.map(groupKey)))
  return all.size > GROUPS_MAX ? { fault: TOO_MANY_GROUPS, isInRoom: false } : NO_FAULT
}

function groupFault({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length === 1 ? message : `A group: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

const splitGroups = (text: string) =>
  text
    .split(GROUP_SEPARATOR)
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Names the groups that an import of these rows would make, each once. */
export function newGroups(people: readonly CheckedPerson[], groups: readonly Pick<UserGroup, 'name'>[]): string[] {
  const known = new Set(groups.map(({ name }) => groupKey(name)))
  const made = new Map<string, string>()
  for (const { user, fault } of people)
    for (const name of fault === null ? (user.groups ?? []) : [])
      if (!known.has(groupKey(name)) && !made.has(groupKey(name))) made.set(groupKey(name), name)
  return [...made.values()]
}

function takenFault(what: string, { line }: Holder): Fault {
  if (line === undefined) return { fault: `${what} is already taken`, isInRoom: true }
  return { fault: `${what} is on line ${line} already`, isInRoom: false }
}

/** U000001 and so on, except those that the list itself names. */
function* freeUserIds({ nextUserId }: ExistingUsers, people: readonly PersonRow[]): Generator<string, never> {
  const named = new Set(people.map(({ user_id }) => normaliseForComparison(user_id)))
  for (let number = Number(/\d+$/.exec(nextUserId)?.[0] ?? 1); ; number++) {
    const userId = `U${String(number).padStart(6, '0')}`
    if (!named.has(normaliseForComparison(userId))) yield userId
  }
}
