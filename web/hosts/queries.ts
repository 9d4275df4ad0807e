import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../shared/envelope.ts'
import { DeletedAnswer, HostAnswer, HostsAnswer, type IntegrateHost } from '../../shared/hosts.ts'
import { OAuthResultAnswer, OAuthUrlAnswer } from '../../shared/oauth.ts'
import { api } from '../api.ts'

export const hosts = queryOptions({
  queryKey: ['hosts'],
  queryFn: ({ signal }) => api(HostsAnswer, 'GET', '/admin/hosts', undefined, { signal }),
})

export function useDeleteHost() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api(DeletedAnswer, 'DELETE', `/admin/hosts/${encodeURIComponent(id)}`),
    onSettled: () => client.invalidateQueries({ queryKey: hosts.queryKey }),
  })
}

export function useIntegrateHost() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ values, key }: { values: IntegrateHost; key: string }) =>
      api(HostAnswer, 'POST', '/admin/hosts/integrate', values, { idempotencyKey: key }),
    onSettled: () => client.invalidateQueries({ queryKey: hosts.queryKey }),
  })
}

export function useExtendSubscription() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, months }: { id: string; months: number }) =>
      api(Done, 'POST', `/admin/hosts/${encodeURIComponent(id)}/extend-subscription`, { additional_months: months }),
    onSettled: () => client.invalidateQueries({ queryKey: hosts.queryKey }),
  })
}

export function useCancelSubscription() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api(Done, 'POST', `/admin/hosts/${encodeURIComponent(id)}/cancel-subscription`),
    onSettled: () => client.invalidateQueries({ queryKey: hosts.queryKey }),
  })
}

/** Where Zoom asks for consent; it sends the popup back to this very site, so that its broadcast is heard here. */
export function askOAuthUrl(email: string, signal: AbortSignal) {
  const query = new URLSearchParams({ email, return_url: `${window.location.origin}/oauth-success` })
  return api(OAuthUrlAnswer, 'GET', `/oauth/url?${query}`, undefined, { signal })
}

export function askOAuthResult(id: string, signal?: AbortSignal) {
  return api(OAuthResultAnswer, 'GET', `/oauth/results/${encodeURIComponent(id)}`, undefined, { signal })
}
