import { queryOptions } from '@tanstack/react-query'
import { RoomUsersAnswer } from '../../../shared/room-users.ts'
import { api } from '../../lib/api-client.ts'
import { filteredPath } from '../../lib/use-filter-param.ts'
import type { FoundPerson } from './JumpTo.tsx'

const SHOWN = 6

/** The host's people: an online user leads to the tile, any other to the row in Users Master. */
export const findPeople = (words: string) =>
  queryOptions({
    queryKey: ['find-people', words],
    queryFn: async ({ signal }): Promise<FoundPerson[]> => {
      const query = new URLSearchParams({ search: words, limit: String(SHOWN) })
      const { data } = await api(RoomUsersAnswer, 'GET', `/host/users?${query}`, undefined, { signal })
      return data.users.map(({ id, user_id, username, is_online, asleep }) => ({
        id,
        label: username,
        hint: `${user_id} · ${is_online ? (asleep ? 'not answering' : 'online') : 'not online'}`,
        to: is_online
          ? filteredPath('/host/online', user_id)
          : `/host/users?${new URLSearchParams({ filter: user_id })}`,
      }))
    },
    enabled: words !== '',
  })
