import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { AccountAnswer } from '../../shared/account.ts'
import { HostAnswer, type ProfileAction } from '../../shared/hosts.ts'
import { api } from '../lib/api-client.ts'

export const ownProfile = queryOptions({
  queryKey: ['own-profile'],
  queryFn: ({ signal }) => api(HostAnswer, 'GET', '/host/profile', undefined, { signal }),
})

/** Names the room on invitations. Assistants may not read the host's profile. */
export const ownRoom = queryOptions({
  queryKey: ['own-room'],
  queryFn: async ({ signal }) => {
    const { user } = (await api(AccountAnswer, 'GET', '/account', undefined, { signal })).data
    if (user.role === 'master') throw new Error('A master has no room')
    return user.role === 'host' ? user : user.host
  },
})

export function useProfileAction() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: ProfileAction) => api(HostAnswer, 'POST', `/host/profile/${action}`),
    onSuccess: (answer) => client.setQueryData(ownProfile.queryKey, answer),
    onSettled: () => client.invalidateQueries({ queryKey: ownProfile.queryKey }),
  })
}
