import { IconCalendarPlus } from '@tabler/icons-react'
import { queryOptions } from '@tanstack/react-query'
import type { Host } from '../../../shared/hosts.ts'
import { monthsText } from '../../../shared/subscription-display.ts'
import { searchHosts } from '../../features/hosts/list/hosts-view.ts'
import { hosts } from '../../queries/hosts.ts'
import type { FoundPerson } from './CommandPalette.tsx'
import { readExtension } from './read-extension.ts'

const SHOWN = 9

/** Finds a master's hosts; each leads to its details, or with “extend” to its subscription, where the sale is confirmed. Reuses the list if the page has fetched it. */
export const findHosts = (words: string) =>
  queryOptions({
    queryKey: ['find-hosts', words],
    queryFn: async ({ client }): Promise<FoundPerson[]> => {
      const { data } = await client.ensureQueryData(hosts)
      const extensions = findExtensions(data.hosts, words)
      if (extensions.length > 0) return extensions
      return searchHosts(data.hosts, words)
        .slice(0, SHOWN)
        .map(({ id, user_id, username, email }) => ({
          id,
          label: username,
          hint: `${user_id} · ${email}`,
          to: hostAddress({ host: id }),
        }))
    },
    enabled: words !== '',
  })

function findExtensions(all: Host[], words: string): FoundPerson[] {
  const wish = readExtension(words)
  if (!wish) return []
  return searchHosts(all, wish.name)
    .flatMap(({ id, user_id, username }) =>
      wish.months.map((months) => ({
        id: `${id}-${months}`,
        label: `Extend ${username} by ${monthsText(months)}`,
        hint: user_id,
        icon: IconCalendarPlus,
        to: hostAddress({ host: id, extend: String(months) }),
      })),
    )
    .slice(0, SHOWN)
}

const hostAddress = (of: { host: string; extend?: string }) => `/master/hosts?${new URLSearchParams(of)}`
