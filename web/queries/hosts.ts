import { queryOptions } from '@tanstack/react-query'
import { HostsAnswer } from '../../shared/hosts.ts'
import { api } from '../lib/api-client.ts'

/** Begins the key of all that an act on a host changes. */
export const HOSTS_KEY = ['hosts']

export const hosts = queryOptions({
  queryKey: [...HOSTS_KEY, 'live'],
  queryFn: ({ signal }) => api(HostsAnswer, 'GET', '/admin/hosts', undefined, { signal }),
})
