import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  AccountAnswer,
  AccountSessionsAnswer,
  type ChangePassword,
  ConfirmedAnswer,
  EndedSessionsAnswer,
} from '../../../shared/account.ts'
import { Done } from '../../../shared/envelope.ts'
import { ApiError, api } from '../../lib/api-client.ts'

export const account = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await api(AccountAnswer, 'GET', '/account', undefined, { signal })).data,
})

export const sessions = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) =>
    (await api(AccountSessionsAnswer, 'GET', '/account/sessions', undefined, { signal })).data.sessions,
})

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (passwords: ChangePassword) => api(Done, 'POST', '/account/password', passwords, { adds: true }),
    onSettled: () => client.invalidateQueries({ queryKey: account.queryKey }),
  })
}

export function useConfirm() {
  return useMutation({
    mutationFn: (password: string) =>
      api(ConfirmedAnswer, 'POST', '/account/confirm', { password }, { isSecret: true }),
  })
}

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      try {
        await api(Done, 'DELETE', `/account/sessions/${id}`)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error // else it has ended meanwhile
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessions.queryKey }),
  })
}

export function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await api(EndedSessionsAnswer, 'POST', '/account/sessions/end-others')).data.ended,
    onSettled: () => client.invalidateQueries({ queryKey: sessions.queryKey }),
  })
}
