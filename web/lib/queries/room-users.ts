import { queryOptions, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import {
  type AddRoomUser,
  BULK_LIMIT,
  BulkAnswer,
  type BulkOutcome,
  CredentialsAnswer,
  DeliveryAnswer,
  type EditRoomUser,
  type RoomUser,
  RoomUserAnswer,
  RoomUsersAnswer,
  type UserAction,
} from '../../../shared/room-users.ts'
import { api, apiIfChanged, type Version } from '../api-client.ts'
import { isRecord } from '../is-record.ts'
import { parseUsers } from './parse-users.ts'

/** A hanging poll is cancelled before the page counts as stale. */
export const POLL_LIMIT_MS = 5000

const PolledUsers = RoomUsersAnswer.extend({
  data: RoomUsersAnswer.shape.data.extend({ users: z.array(z.unknown()) }),
})

type UserList = { users: RoomUser[]; next_user_id: string; version: Version | null }
const KEY = ['room-users']
const NO_LIST: UserList = { users: [], next_user_id: '', version: null }

export const roomUsers = queryOptions({
  queryKey: KEY,
  queryFn: async ({ client, signal }): Promise<UserList> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(POLL_LIMIT_MS)])
    const last = client.getQueryData<UserList>(KEY) ?? NO_LIST
    const changed = await apiIfChanged(PolledUsers, '/host/users', last.version, { signal: limit })
    if (!changed) return last
    const { users, next_user_id } = changed.answer.data
    const known = new Map(last.users.map((user) => [user.id, user]))
    return { users: parseUsers(users, known), next_user_id, version: changed.version }
  },
  refetchInterval: 500, // not while the tab is hidden
  retry: false, // the next poll is the retry
  structuralSharing: false, // an unchanged user is the same object already
})

type ActOnUser = { id: string; action: UserAction; expect?: { is_muted: boolean } }

const ACT_KEY = ['act-on-room-user']

export function useActOnRoomUser() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: ACT_KEY,
    mutationFn: ({ id, action, expect }: ActOnUser) =>
      api(DeliveryAnswer, 'POST', `/host/users/${encodeURIComponent(id)}/${action}`, expect ? { expect } : undefined),
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

/** The ids of users with a pending action. */
export function useBusyRoomUsers(): ReadonlySet<string> {
  const ids = useMutationState({
    filters: { mutationKey: ACT_KEY, status: 'pending' },
    select: ({ state: { variables } }) => (isRecord(variables) ? variables.id : undefined),
  })
  return useMemo(() => new Set(ids.filter((id) => typeof id === 'string')), [ids])
}

type ActOnUsers = { action: UserAction; userIds: readonly string[] }

export function useActOnRoomUsers() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: actOnRoomUsers,
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

/** One call for each `BULK_LIMIT` users, one after the other. */
async function actOnRoomUsers({ action, userIds }: ActOnUsers): Promise<Pick<BulkOutcome, 'succeeded' | 'failed'>> {
  const succeeded: BulkOutcome['succeeded'] = []
  const failed: BulkOutcome['failed'] = []
  for (let from = 0; from < userIds.length; from += BULK_LIMIT) {
    const some = userIds.slice(from, from + BULK_LIMIT)
    const { data } = await api(BulkAnswer, 'POST', `/host/users/bulk/${action}`, { userIds: some })
    succeeded.push(...data.succeeded)
    failed.push(...data.failed)
  }
  return { succeeded, failed }
}

export function useAddRoomUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (user: AddRoomUser) => api(RoomUserAnswer, 'POST', '/host/users', user),
    onSuccess: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

export function useEditRoomUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...user }: EditRoomUser & { id: string }) =>
      api(RoomUserAnswer, 'PUT', `/host/users/${encodeURIComponent(id)}`, user),
    onSuccess: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

export function useCredentials() {
  return useMutation({
    mutationFn: async (id: string) =>
      (await api(CredentialsAnswer, 'POST', `/host/users/${encodeURIComponent(id)}/credentials`)).data,
  })
}
