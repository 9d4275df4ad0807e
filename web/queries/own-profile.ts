import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { HostAnswer, type ProfileAction } from '../../shared/hosts.ts'
import { api } from '../lib/api-client.ts'

export const ownProfile = queryOptions({
  queryKey: ['own-profile'],
  queryFn: ({ signal }) => api(HostAnswer, 'GET', '/host/profile', undefined, { signal }),
})

export function useProfileAction() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: ProfileAction) => api(HostAnswer, 'POST', `/host/profile/${action}`),
    onSuccess: (answer) => client.setQueryData(ownProfile.queryKey, answer),
    onSettled: () => client.invalidateQueries({ queryKey: ownProfile.queryKey }),
  })
}
