import { queryOptions } from '@tanstack/react-query'
import { searchHosts } from '../../features/hosts/list/hosts-view.ts'
import { hosts } from '../../features/hosts/queries.ts'
import type { FoundPerson } from './CommandPalette.tsx'

const SHOWN = 8

/** Finds a master's hosts; each leads to its details. Reuses the list if the page has fetched it. */
export const findHosts = (words: string) =>
  queryOptions({
    queryKey: ['find-hosts', words],
    queryFn: async ({ client }): Promise<FoundPerson[]> => {
      const { data } = await client.ensureQueryData(hosts)
      return searchHosts(data.hosts, words)
        .slice(0, SHOWN)
        .map(({ id, user_id, username, email }) => ({
          id,
          label: username,
          hint: `${user_id} · ${email}`,
          to: `/master/hosts?${new URLSearchParams({ host: id })}`,
        }))
    },
    enabled: words !== '',
  })
