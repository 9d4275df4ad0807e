import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../shared/envelope.ts'
import { type ChangeGroupUsers, GroupUsersAnswer, type GroupUsersOutcome } from '../../shared/group-members.ts'
import { BULK_LIMIT } from '../../shared/room-users.ts'
import { type AddGroup, type UserGroup, UserGroupAnswer } from '../../shared/user-groups.ts'
import { ApiError, api } from '../lib/api-client.ts'
import { roomUsers } from './room-users.ts'

const PATH = '/host/groups'
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

/** The list of users has all groups, so it is read again. */
function useGroupChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

/** Adds a group, or saves the one that the host sees. */
export const useSaveGroup = () =>
  useGroupChange(({ seen, ...group }: AddGroup & { seen: UserGroup | null }) =>
    seen
      ? api(UserGroupAnswer, 'PUT', pathOf(seen.id), { ...group, expect: { name: seen.name, colour: seen.colour } })
      : api(UserGroupAnswer, 'POST', PATH, group, { adds: true }),
  )

/** Succeeds too if the group has gone already. */
export const useDeleteGroup = () =>
  useGroupChange(async ({ id, name, colour }: UserGroup) => {
    try {
      await api(Done, 'DELETE', pathOf(id), { expect: { name, colour } })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error
    }
  })

type Members = { id: string; userIds: readonly string[]; change: ChangeGroupUsers['change'] }

/** Sends one call per `BULK_LIMIT` users, sequentially. */
export const useChangeGroupUsers = () =>
  useGroupChange(async ({ id, userIds, change }: Members): Promise<GroupUsersOutcome> => {
    const outcome: GroupUsersOutcome = { succeeded: [], failed: [] }
    for (let from = 0; from < userIds.length; from += BULK_LIMIT) {
      const some = userIds.slice(from, from + BULK_LIMIT)
      const { data } = await api(GroupUsersAnswer, 'POST', `${pathOf(id)}/users`, { userIds: some, change })
      outcome.succeeded.push(...data.succeeded)
      outcome.failed.push(...data.failed)
    }
    return outcome
  })
