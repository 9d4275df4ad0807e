import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { RenewalsAnswer, SoldAnswer } from '../../../../shared/renewals.ts'
import { api } from '../../../lib/api-client.ts'
import { HOSTS_KEY } from '../../../queries/hosts.ts'

export const renewals = (days: number) =>
  queryOptions({
    queryKey: [...HOSTS_KEY, 'renewals', days],
    queryFn: async ({ signal }) =>
      (await api(RenewalsAnswer, 'GET', `/admin/renewals?days=${days}`, undefined, { signal })).data.hosts,
    placeholderData: keepPreviousData,
  })

export const renewalsFile = (days: number) => `/admin/renewals?days=${days}&format=csv`

export const sold = (months: number) =>
  queryOptions({
    queryKey: [...HOSTS_KEY, 'sold', months],
    queryFn: async ({ signal }) =>
      (await api(SoldAnswer, 'GET', `/admin/renewals/sold?months=${months}`, undefined, { signal })).data.months,
    placeholderData: keepPreviousData,
  })
