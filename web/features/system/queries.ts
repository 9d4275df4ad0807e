import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { SystemAnswer, TestMailAnswer } from '../../../shared/system.ts'
import { api } from '../../lib/api-client.ts'

export const system = queryOptions({
  queryKey: ['system'],
  queryFn: async ({ signal }) => (await api(SystemAnswer, 'GET', '/admin/system', undefined, { signal })).data,
})

export function useCheckSystem() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await api(SystemAnswer, 'POST', '/admin/system/check')).data,
    onSuccess: (report) => client.setQueryData(system.queryKey, report),
  })
}

export function useSendTestMail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await api(TestMailAnswer, 'POST', '/admin/system/test-mail')).data,
    onSettled: () => client.invalidateQueries({ queryKey: system.queryKey }),
  })
}
