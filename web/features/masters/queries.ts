import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../../shared/envelope.ts'
import { InvitationAnswer, MastersAnswer } from '../../../shared/masters.ts'
import { api } from '../../lib/api-client.ts'

export const masters = queryOptions({
  queryKey: ['masters'],
  queryFn: async ({ signal }) => (await api(MastersAnswer, 'GET', '/admin/masters', undefined, { signal })).data,
})

function useMasterMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: masters.queryKey }) })
}

export const useInviteMaster = () =>
  useMasterMutation((email: string) =>
    api(InvitationAnswer, 'POST', '/admin/masters/invitations', { email }, { isSecret: true }),
  )

export const useCancelInvitation = () =>
  useMasterMutation((id: string) => api(Done, 'DELETE', `/admin/masters/invitations/${encodeURIComponent(id)}`))

export const useRemoveMaster = () =>
  useMasterMutation((id: string) => api(Done, 'DELETE', `/admin/masters/${encodeURIComponent(id)}`))
