import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { hosts } from '../../../queries/hosts.ts'

const SHOWN = 50

/** Filters the log by one host. */
export function HostPicker({ chosen, onChoose }: { chosen: string | null; onChoose: (id: string | null) => void }) {
  const { data } = useQuery(hosts)
  const all = data?.data.hosts ?? []
  const isGone = chosen !== null && data !== undefined && !all.some(({ id }) => id === chosen)
  return (
    <Select
      aria-label="Host"
      placeholder="All hosts"
      flex={{ base: '1 1 100%', sm: '0 1 16rem' }}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'All hosts' }}
      limit={SHOWN}
      nothingFoundMessage="No host matches"
      value={chosen}
      onChange={onChoose}
      data={[
        ...all.map(({ id, username, email }) => ({ value: id, label: `${username} · ${email}` })),
        ...(isGone ? [{ value: chosen, label: 'A deleted host' }] : []),
      ]}
    />
  )
}
