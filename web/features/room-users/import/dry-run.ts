import { comparable } from '../../../../shared/normalise.ts'
import { AddRoomUser, type RoomUser } from '../../../../shared/room-users.ts'
import { generatePassword } from '../../../lib/generate-password.ts'
import type { WrittenPerson } from './read-people.ts'

/** A row as it would be added: what was left open is filled in. With a fault it is left out. */
export type CheckedPerson = { line: number; user: AddRoomUser; isGenerated: boolean; fault: string | null }

type Room = { users: readonly Pick<RoomUser, 'username' | 'user_id'>[]; nextUserId: string }

/** What an import would do, row by row, before anything is done. */
export function dryRun(people: readonly WrittenPerson[], room: Room, generate = generatePassword): CheckedPerson[] {
  const taken = {
    username: new Map(room.users.map(({ username }) => [comparable(username), 'in use in your room'])),
    user_id: new Map(room.users.map(({ user_id }) => [comparable(user_id), 'in use in your room'])),
  }
  const userIds = freeUserIds(room, people)
  let free = userIds.next().value

  return people.map(({ line, username, user_id, password, reference }) => {
    const user = { username, user_id: user_id || free, password: password || generate(), reference }
    const fault = faultOf(user, taken)
    if (!fault) {
      if (user_id === '') free = userIds.next().value // none is spent on a row that is left out
      taken.username.set(comparable(username), `on line ${line} already`)
      taken.user_id.set(comparable(user.user_id), `on line ${line} already`)
    }
    return { line, user, isGenerated: password === '', fault }
  })
}

type Taken = Record<'username' | 'user_id', Map<string, string>>

function faultOf(user: AddRoomUser, taken: Taken): string | null {
  const read = AddRoomUser.safeParse(user)
  if (!read.success) {
    const [issue] = read.error.issues
    return issue?.code === 'too_big' && issue.path[0] !== 'user_id'
      ? `The ${String(issue.path[0])} has more than ${issue.maximum} characters`
      : (issue?.message ?? 'This row cannot be read')
  }
  const username = taken.username.get(comparable(user.username))
  if (username) return `The username is ${username}`
  const userId = taken.user_id.get(comparable(user.user_id))
  return userId ? `The User ID ${user.user_id} is ${userId}` : null
}

/** U000001 and so on, without those that the list itself names. */
function* freeUserIds({ nextUserId }: Room, people: readonly WrittenPerson[]): Generator<string, never> {
  const named = new Set(people.map(({ user_id }) => comparable(user_id)))
  for (let number = Number(/\d+$/.exec(nextUserId)?.[0] ?? 1); ; number++) {
    const userId = `U${String(number).padStart(6, '0')}`
    if (!named.has(comparable(userId))) yield userId
  }
}
