import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { roomUsers } from '../../queries/room-users.ts'
import { userMatcher } from '../../widgets/room-user/match-user.ts'

const SHOWN = 50

/** Filters the log by one user. */
export function UserPicker({ chosen, onChoose }: { chosen: string | null; onChoose: (id: string | null) => void }) {
  const { data } = useQuery({ ...roomUsers, refetchInterval: false })
  const users = data?.users ?? []
  const known = new Map(users.map((user) => [user.id, user]))
  const isGone = chosen !== null && data !== undefined && !known.has(chosen)
  return (
    <Select
      aria-label="User"
      placeholder="All users"
      flex={{ base: '1 1 100%', sm: '0 1 20rem' }}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'All users' }}
      limit={SHOWN}
      nothingFoundMessage="No user matches"
      value={chosen}
      onChange={onChoose}
      data={[
        ...users.map(({ id, username, user_id }) => ({ value: id, label: `${username} · ${user_id}` })),
        ...(isGone ? [{ value: chosen, label: 'A deleted user' }] : []),
      ]}
      filter={({ options, search, limit }) => {
        const fits = userMatcher(search.split(' · ')[0] ?? '')
        const matching = options.filter((option) => {
          const user = 'value' in option ? known.get(option.value) : undefined
          return user !== undefined && fits(user)
        })
        return matching.slice(0, limit)
      }}
    />
  )
}
