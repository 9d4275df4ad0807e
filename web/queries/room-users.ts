import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { AuditAnswer } from '../../shared/audit.ts'
import {
  type AddRoomUser,
  BULK_LIMIT,
  BulkAnswer,
  type BulkOutcome,
  CredentialsAnswer,
  CredentialsOfManyAnswer,
  DeliveryAnswer,
  type EditRoomUser,
  NextSpeakerAnswer,
  OneRoomUserAnswer,
  type RoomUser,
  RoomUserAnswer,
  RoomUsersAnswer,
  type SeenQueue,
  type SeenUser,
  type UserAction,
} from '../../shared/room-users.ts'
import type { UserGroup } from '../../shared/user-groups.ts'
import { UserHistoryAnswer } from '../../shared/user-history.ts'
import { api, apiIfChanged, type Version } from '../lib/api-client.ts'
import { isRecord } from '../lib/is-record.ts'
import { parseUsers } from './parse-users.ts'

/** Cancels a hanging poll before the page counts as stale. */
export const POLL_LIMIT_MS = 5000

const PolledUsers = RoomUsersAnswer.extend({
  data: RoomUsersAnswer.shape.data.extend({ users: z.array(z.unknown()) }),
})

type UserList = { users: RoomUser[]; groups: readonly UserGroup[]; next_user_id: string; version: Version | null }
const KEY = ['room-users']
const NO_LIST: UserList = { users: [], groups: [], next_user_id: '', version: null }

export const roomUsers = queryOptions({
  queryKey: KEY,
  queryFn: async ({ client, signal }): Promise<UserList> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(POLL_LIMIT_MS)])
    const last = client.getQueryData<UserList>(KEY) ?? NO_LIST
    const changed = await apiIfChanged(PolledUsers, '/host/users', last.version, { signal: limit })
    if (!changed) return last
    const { users, groups, next_user_id } = changed.answer.data
    const known = new Map(last.users.map((user) => [user.id, user]))
    const isSame = JSON.stringify(groups) === JSON.stringify(last.groups)
    return {
      users: parseUsers(users, known),
      groups: isSame ? last.groups : groups,
      next_user_id,
      version: changed.version,
    }
  },
  refetchInterval: 500, // pauses while the tab is hidden
  retry: false, // the next poll is the retry
  structuralSharing: false, // an unchanged user is the same object already
})

/** Polls one user. Its key extends the list's key, so that an action refreshes both. */
export const oneRoomUser = (id: string) =>
  queryOptions({
    queryKey: [...KEY, id],
    queryFn: async ({ signal }) => {
      const path = `/host/users/${encodeURIComponent(id)}`
      return (await api(OneRoomUserAnswer, 'GET', path, undefined, { signal })).data
    },
    refetchInterval: 1000,
    retry: false,
  })

const HISTORY_PAGE = 10
type Cursor = { before?: string }
const NEWEST: Cursor = {}

/** Lists when a user was online, page by page. */
export const userHistory = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...KEY, id, 'history'],
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(HISTORY_PAGE), ...pageParam })
      const path = `/host/users/${encodeURIComponent(id)}/history?${query}`
      return (await api(UserHistoryAnswer, 'GET', path, undefined, { signal })).data
    },
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }): Cursor | null => (next === null ? null : { before: next }),
  })

/** Lists a user's own actions, and the actions of others on the user, page by page. */
export const userAudit = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...KEY, id, 'audit'],
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ user: id, limit: String(HISTORY_PAGE), ...pageParam })
      return (await api(AuditAnswer, 'GET', `/host/audit?${query}`, undefined, { signal })).data
    },
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }): Cursor | null => (next === null ? null : { before: next }),
  })

/** `expect`: the state of the user that the host acted on. */
type ActOnUser = { id: string; action: UserAction; expect?: SeenUser | undefined }

const ACT_KEY = ['act-on-room-user']

export function useActOnRoomUser() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: ACT_KEY,
    mutationFn: ({ id, action, expect }: ActOnUser) =>
      api(DeliveryAnswer, 'POST', `/host/users/${encodeURIComponent(id)}/${action}`, expect ? { expect } : undefined, {
        mayRepeat: action === 'mute' || action === 'unmute',
      }),
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

/** Lets the first in the queue speak, and mutes the user who had the floor; that user is busy until then. */
export function useLetNextSpeak() {
  return useMutation({
    mutationKey: ACT_KEY,
    mutationFn: ({ expect }: { id: string; expect: SeenQueue }) =>
      api(NextSpeakerAnswer, 'POST', '/host/next-speaker', { expect }),
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

/** `expect`: the state that the host acted on, by user id. */
type ActOnUsers = { action: UserAction; userIds: readonly string[]; expect?: Record<string, SeenUser> }

export function useActOnRoomUsers() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: actOnRoomUsers,
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

/** Sends one call per `BULK_LIMIT` users, sequentially. */
async function actOnRoomUsers({
  action,
  userIds,
  expect = {},
}: ActOnUsers): Promise<Pick<BulkOutcome, 'succeeded' | 'failed'>> {
  const succeeded: BulkOutcome['succeeded'] = []
  const failed: BulkOutcome['failed'] = []
  for (let from = 0; from < userIds.length; from += BULK_LIMIT) {
    const some = userIds.slice(from, from + BULK_LIMIT)
    const seen = Object.fromEntries(some.flatMap((id) => (expect[id] ? [[id, expect[id]]] : [])))
    const { data } = await api(BulkAnswer, 'POST', `/host/users/bulk/${action}`, { userIds: some, expect: seen })
    succeeded.push(...data.succeeded)
    failed.push(...data.failed)
  }
  return { succeeded, failed }
}

export function useAddRoomUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (user: AddRoomUser) => api(RoomUserAnswer, 'POST', '/host/users', user, { adds: true }),
    onSuccess: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

export function useEditRoomUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...user }: EditRoomUser & { id: string }) =>
      api(RoomUserAnswer, 'PUT', `/host/users/${encodeURIComponent(id)}`, user, { adds: true }),
    onSuccess: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}

export function useCredentials() {
  return useMutation({
    mutationFn: async (id: string) =>
      (
        await api(
          CredentialsAnswer,
          'POST',
          `/host/users/${encodeURIComponent(id)}/credentials`,
          { purpose: 'copy' },
          {
            isSecret: true,
          },
        )
      ).data,
    gcTime: 0, // the answer holds a password
  })
}

/** Fetches credentials for cards. Caches of a query or a mutation would keep the passwords, so it is neither. */
export async function fetchCredentialsOfMany(userIds: readonly string[], signal: AbortSignal) {
  const options = { isSecret: true, signal }
  return (
    await api(CredentialsOfManyAnswer, 'POST', '/host/users/bulk/credentials', { userIds, purpose: 'cards' }, options)
  ).data
}
