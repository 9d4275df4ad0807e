import { GroupUsersAnswer } from '../shared/group-members.ts'
import { call } from '../shared/phone/call.ts'
import { RoomUsersAnswer } from '../shared/room-users.ts'
import { type AddGroup, UserGroupAnswer, UserGroupsAnswer } from '../shared/user-groups.ts'
import { sampleUserId } from './sample-people.ts'

/** The groups of the first room, with the places of their users among the sample people. */
const SAMPLE_GROUPS: readonly (AddGroup & { people: readonly number[] })[] = [
  { name: 'Readers', colour: 'violet', people: [0, 3, 4, 10, 15, 20, 23, 28, 33] },
  { name: 'Tuesday table', colour: 'teal', people: [0, 1, 3, 6, 7, 9, 12, 14, 17, 21, 25, 28, 30, 33, 35] },
  { name: 'Helpers', colour: 'orange', people: [0, 10, 23, 36] },
  { name: 'New this term', colour: 'blue', people: [7, 17, 29, 32, 37] },
]

/** Changes nothing once the host has a group. */
export async function addGroups(server: string, token: string) {
  const url = `${server}/api/host/groups`
  if ((await call(UserGroupsAnswer, 'GET', url, { token })).data.groups.length > 0) return
  const { users } = (await call(RoomUsersAnswer, 'GET', `${server}/api/host/users`, { token })).data
  const idOf = new Map(users.map(({ id, user_id }) => [user_id, id]))
  for (const { people, ...group } of SAMPLE_GROUPS) {
    const userIds = people.flatMap((place) => idOf.get(sampleUserId(place)) ?? [])
    const { data } = await call(UserGroupAnswer, 'POST', url, { token, body: group })
    const body = { userIds, change: 'add' }
    if (userIds.length > 0) await call(GroupUsersAnswer, 'POST', `${url}/${data.group.id}/users`, { token, body })
  }
}
