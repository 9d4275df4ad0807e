import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Host, IntegrateHost } from '../../../../shared/hosts.ts'
import { ApiError } from '../../../lib/api-client.ts'
import { hosts } from '../../../queries/hosts.ts'
import { integrateHost, useRefreshHosts } from '../queries.ts'

type Press = { values: IntegrateHost; knownIds: Set<string> }

/**
 * Adds a host. A press whose answer was lost may have added it, so when a later press with other values is refused, the
 * host of that earlier press is looked up, and is the result.
 */
export function useAddHost() {
  const client = useQueryClient()
  const refresh = useRefreshHosts()
  const unanswered = useRef<Press[]>([])

  async function findAdded(): Promise<{ host: Host; press: Press } | null> {
    if (unanswered.current.length === 0) return null
    const { data } = await client.fetchQuery(hosts)
    for (const press of unanswered.current) {
      const { values, knownIds } = press
      const host = data.hosts.find(
        ({ id, username, email }) =>
          !knownIds.has(id) && username === values.username.trim() && email === values.email.trim(),
      )
      if (host) return { host, press }
    }
    return null
  }

  return useMutation({
    mutationFn: async (values: IntegrateHost) => {
      const known = client.getQueryData(hosts.queryKey)?.data.hosts
      try {
        const { data } = await integrateHost(values)
        return { host: data, password: values.password, isOfEarlierPress: false }
      } catch (error) {
        const status = error instanceof ApiError ? error.status : null
        if (status === 409) {
          const added = await findAdded().catch(() => null)
          if (added) return { host: added.host, password: added.press.values.password, isOfEarlierPress: true }
        }
        if (known && (status === 0 || (status !== null && status >= 500)))
          unanswered.current.push({ values, knownIds: new Set(known.map(({ id }) => id)) })
        throw error
      }
    },
    onSettled: () => void refresh(),
  })
}
