import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../shared/envelope.ts'
import { type PhoneRequestDecision, PhoneRequestsAnswer } from '../../shared/phone-requests.ts'
import { api } from '../lib/api-client.ts'

/** The Online page's stream brings changes immediately; other pages rely on this poll. */
const POLL_MS = 15_000

/** Lists new phones that wait for the host, the oldest first. */
export const phoneRequests = queryOptions({
  queryKey: ['phone-requests'],
  queryFn: async ({ signal }) =>
    (await api(PhoneRequestsAnswer, 'GET', '/host/phone-requests', undefined, { signal })).data.requests,
  refetchInterval: POLL_MS, // pauses while the tab is hidden
})

type Decide = { id: string; requested_at: string; decision: PhoneRequestDecision }

export function useDecidePhoneRequest() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, requested_at, decision }: Decide) =>
      api(Done, 'POST', `/host/phone-requests/${encodeURIComponent(id)}/${decision}`, { expect: { requested_at } }),
    onSettled: () => client.invalidateQueries(phoneRequests),
  })
}
