import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type AddRoomUser,
  BULK_LIMIT,
  BulkAnswer,
  type BulkOutcome,
  CredentialsAnswer,
  DeliveryAnswer,
  type EditRoomUser,
  RoomUserAnswer,
  RoomUsersAnswer,
  type UserAction,
} from '../../../shared/room-users.ts'
import { api, apiCached } from '../api-client.ts'
import { polledUsers } from './polled-users.ts'

/** A poll that hangs must give way to the next one before the page calls itself stale. */
export const POLL_LIMIT_MS = 5000

const PolledRoomUsers = RoomUsersAnswer.extend({
  data: RoomUsersAnswer.shape.data.extend({ users: polledUsers() }),
})

export const roomUsers = queryOptions({
  queryKey: ['room-users'],
  queryFn: async ({ signal }) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(POLL_LIMIT_MS)])
    return (await apiCached(PolledRoomUsers, '/host/users', { signal: limit })).data
  },
  refetchInterval: 500, // not while the tab is hidden
  retry: false, // the next poll is the retry
  structuralSharing: false, // an unchanged answer is the same object already
})

type ActOnUser = { id: string; action: UserAction; expect?: { is_muted: boolean } }

export function useActOnRoomUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, action, expect }: ActOnUser) =>
      api(DeliveryAnswer, 'POST', `/host/users/${encodeURIComponent(id)}/${action}`, expect ? { expect } : undefined),
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

type ActOnUsers = { action: UserAction; userIds: readonly string[] }

export function useActOnRoomUsers() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: actOnRoomUsers,
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

/** As many calls as it takes, one after the other; the outcome is that of all of them. */
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
