import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { Done } from '../../../shared/envelope.ts'
import { InvitationAnswer, type InviteMaster, MastersAnswer } from '../../../shared/masters.ts'
import { type RequiredFor, SecurityAnswer } from '../../../shared/second-factor.ts'
import { ApiError, api, isOutcomeUnknown } from '../../lib/api-client.ts'

export const masters = queryOptions({
  queryKey: ['masters'],
  queryFn: async ({ signal }) => (await api(MastersAnswer, 'GET', '/admin/masters', undefined, { signal })).data,
})

export const security = queryOptions({
  queryKey: ['security'],
  queryFn: async ({ signal }) => (await api(SecurityAnswer, 'GET', '/admin/security', undefined, { signal })).data,
})

type Invitation = z.input<typeof InviteMaster>

export function useInviteMaster() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (invitation: Invitation) =>
      (await api(InvitationAnswer, 'POST', '/admin/masters/invitations', invitation, { isSecret: true })).data,
    onSettled: () => client.invalidateQueries({ queryKey: masters.queryKey }),
  })
}

/** Succeeds too if what it removes has gone meanwhile, or is seen to be gone although no answer came. */
function useRemoval(list: 'masters' | 'invitations', pathOf: (id: string) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      try {
        await api(Done, 'DELETE', pathOf(encodeURIComponent(id)))
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return
        if (!isOutcomeUnknown(error)) throw error
        const now = await client.fetchQuery({ ...masters, staleTime: 0 }).catch(() => null)
        if (!now || now[list].some((one) => one.id === id)) throw error
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: masters.queryKey }),
  })
}

export const useCancelInvitation = () => useRemoval('invitations', (id) => `/admin/masters/invitations/${id}`)
export const useRemoveMaster = () => useRemoval('masters', (id) => `/admin/masters/${id}`)

/** Succeeds too if the rule is seen to be as chosen although no answer came. */
export function useRequireSecondFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (require_second_factor: RequiredFor) => {
      try {
        await api(SecurityAnswer, 'PUT', '/admin/security', { require_second_factor }, { mayRepeat: true })
      } catch (error) {
        if (!isOutcomeUnknown(error)) throw error
        const now = await client.fetchQuery({ ...security, staleTime: 0 }).catch(() => null)
        if (now?.require_second_factor !== require_second_factor) throw error
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: security.queryKey }),
  })
}
