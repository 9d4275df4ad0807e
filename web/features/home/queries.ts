import { queryOptions } from '@tanstack/react-query'
import { HomeAnswer } from '../../../shared/home.ts'
import { api } from '../../lib/api-client.ts'
import { HOSTS_KEY } from '../../queries/hosts.ts'

export const home = queryOptions({
  queryKey: [...HOSTS_KEY, 'home'],
  queryFn: async ({ signal }) => (await api(HomeAnswer, 'GET', '/admin/home', undefined, { signal })).data,
  refetchInterval: 30_000,
})
