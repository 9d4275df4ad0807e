import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { BackupAnswer, SystemAnswer, TestMailAnswer } from '../../../shared/system.ts'
import { api } from '../../lib/api-client.ts'

/** Asks again while a backup is being made. */
const RUNNING_MS = 5_000

export const system = queryOptions({
  queryKey: ['system'],
  queryFn: async ({ signal }) => (await api(SystemAnswer, 'GET', '/admin/system', undefined, { signal })).data,
  refetchInterval: ({ state }) => (state.data?.backup.is_running ? RUNNING_MS : false),
})

export function useCheckSystem() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await api(SystemAnswer, 'POST', '/admin/system/check')).data,
    onSuccess: (report) => client.setQueryData(system.queryKey, report),
  })
}

export function useBackUp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await api(BackupAnswer, 'POST', '/admin/backups')).data,
    onSettled: () => client.invalidateQueries({ queryKey: system.queryKey }),
  })
}

export function useSendTestMail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await api(TestMailAnswer, 'POST', '/admin/system/test-mail')).data,
    onSettled: () => client.invalidateQueries({ queryKey: system.queryKey }),
  })
}
