import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { AuditAnswer } from '../../../shared/audit.ts'
import { Done } from '../../../shared/envelope.ts'
import {
  DeletedAnswer,
  type EditHost,
  HostAnswer,
  HostsAnswer,
  type IntegrateHost,
  type ProfileAction,
} from '../../../shared/hosts.ts'
import { OAuthResultAnswer, OAuthUrlAnswer } from '../../../shared/oauth.ts'
import { SubscriptionHistoryAnswer } from '../../../shared/subscriptions.ts'
import { type ApiOptions, api } from '../../lib/api-client.ts'
import { HOSTS_KEY } from '../../queries/hosts.ts'

const RECENT = 50

export const deletedHosts = queryOptions({
  queryKey: [...HOSTS_KEY, 'deleted'],
  queryFn: ({ signal }) => api(HostsAnswer, 'GET', '/admin/hosts?deleted=true', undefined, { signal }),
})

export const subscriptionHistory = (id: string) =>
  queryOptions({
    queryKey: [...HOSTS_KEY, 'subscription-history', id],
    queryFn: ({ signal }) =>
      api(SubscriptionHistoryAnswer, 'GET', `${at(id)}/subscription-history`, undefined, { signal }),
  })

export const recentAudit = (id: string) =>
  queryOptions({
    queryKey: [...HOSTS_KEY, 'audit', id],
    queryFn: ({ signal }) =>
      api(
        AuditAnswer,
        'GET',
        `/admin/audit?${new URLSearchParams({ host_id: id, limit: String(RECENT) })}`,
        undefined,
        {
          signal,
        },
      ),
  })

const at = (id: string) => `/admin/hosts/${encodeURIComponent(id)}`

export function fetchHost(id: string) {
  return api(HostAnswer, 'GET', at(id))
}

/**
 * Refetches the hosts after a mutation, successful or not. The mutation does not wait for it: a row that disappears
 * would unmount the component that reports the result.
 */
function useHostMutation<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const refresh = useRefreshHosts()
  return useMutation({ mutationFn, onSettled: () => void refresh() })
}

export function useRefreshHosts() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: HOSTS_KEY })
}

export const useDeleteHost = () => useHostMutation((id: string) => api(DeletedAnswer, 'DELETE', at(id)))

export const useRestoreHost = () => useHostMutation((id: string) => api(HostAnswer, 'POST', `${at(id)}/restore`))

export const usePurgeHost = () => useHostMutation((id: string) => api(Done, 'POST', `${at(id)}/purge`))

export function integrateHost(values: IntegrateHost) {
  return api(HostAnswer, 'POST', '/admin/hosts/integrate', values, { adds: true })
}

export const useEditHost = () =>
  useHostMutation(({ id, edit }: { id: string; edit: EditHost }) =>
    api(HostAnswer, 'PUT', at(id), edit, { adds: true }),
  )

export const useHostProfileAction = () =>
  useHostMutation(({ id, action }: { id: string; action: ProfileAction }) =>
    api(HostAnswer, 'POST', `${at(id)}/profile/${action}`),
  )

/** `seenEnd`: the end that the master saw, so that two masters with the same list do not sell the same months twice. */
type Extension = { id: string; months: number; seenEnd: string | null }

export function extendSubscription({ id, months, seenEnd }: Extension, options: ApiOptions = { adds: true }) {
  const body = { additional_months: months, expect: { subscription_end_date: seenEnd } }
  return api(Done, 'POST', `${at(id)}/extend-subscription`, body, options)
}

export const useExtendSubscription = () => useHostMutation((extension: Extension) => extendSubscription(extension))

export const useCancelSubscription = () =>
  useHostMutation(({ id, seenEnd }: { id: string; seenEnd: string | null }) =>
    api(Done, 'POST', `${at(id)}/cancel-subscription`, { expect: { subscription_end_date: seenEnd } }),
  )

/** Fetches the address of Zoom's consent page. The popup returns to this site, so that its broadcast arrives here. */
export function fetchOAuthUrl(email: string, hostId: string | undefined, signal: AbortSignal) {
  const query = new URLSearchParams({
    email,
    return_url: `${window.location.origin}/oauth-success`,
    ...(hostId && { host_id: hostId }),
  })
  return api(OAuthUrlAnswer, 'GET', `/oauth/url?${query}`, undefined, { signal })
}

export function fetchOAuthResult(id: string, signal?: AbortSignal) {
  return api(OAuthResultAnswer, 'GET', `/oauth/results/${encodeURIComponent(id)}`, undefined, { signal })
}
