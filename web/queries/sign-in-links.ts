import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '../../shared/envelope.ts'
import { OpenSignInLinksAnswer, SignInLinkAnswer } from '../../shared/sign-in-links.ts'
import { api } from '../lib/api-client.ts'
import { roomUsers } from './room-users.ts'

/** A link that a phone has used is shown as open for this long at most. */
const POLL_MS = 15_000

/**
 * Maps user ids to the expiry of their open links. The key extends the list's key, so that an action refreshes both.
 */
export const openSignInLinks = queryOptions({
  queryKey: [...roomUsers.queryKey, 'sign-in-links'],
  queryFn: async ({ signal }) => {
    const { data } = await api(OpenSignInLinksAnswer, 'GET', '/host/sign-in-links', undefined, { signal })
    return new Map(data.links.map(({ id, expires_at }) => [id, expires_at]))
  },
  refetchInterval: POLL_MS, // pauses while the tab is hidden
  structuralSharing: false, // a Map
})

const pathOf = (id: string) => `/host/users/${encodeURIComponent(id)}/sign-in-link`

/** A link is a secret, which the cache of a mutation would keep. */
export async function makeSignInLink(id: string, signal: AbortSignal) {
  return (await api(SignInLinkAnswer, 'POST', pathOf(id), undefined, { isSecret: true, signal })).data
}

export function useRevokeSignInLink() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api(Done, 'DELETE', pathOf(id)),
    onSettled: () => client.invalidateQueries({ queryKey: roomUsers.queryKey }),
  })
}
