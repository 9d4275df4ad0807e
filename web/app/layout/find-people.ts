import { queryOptions } from '@tanstack/react-query'
import { RoomUsersAnswer } from '../../../shared/room-users.ts'
import { api } from '../../lib/api-client.ts'
import type { FoundPerson } from './CommandPalette.tsx'

const SHOWN = 6

/** Finds the host's users; each opens the panel beside the page. */
export const findPeople = (words: string) =>
  queryOptions({
    queryKey: ['find-people', words],
    queryFn: async ({ signal }): Promise<FoundPerson[]> => {
      const query = new URLSearchParams({ search: words, limit: String(SHOWN) })
      const { data } = await api(RoomUsersAnswer, 'GET', `/host/users?${query}`, undefined, { signal })
      return data.users.map((user) => {
        const { id, user_id, username, is_online, asleep } = user
        return {
          id,
          label: username,
          hint: `${user_id} · ${is_online ? (asleep ? 'not answering' : 'online') : 'not online'}`,
          user,
        }
      })
    },
    enabled: words !== '',
  })
