import { SearchField } from '../../../ui/SearchField.tsx'

type HostsSearchProps = { words: string; onSearch: (words: string) => void }

export function HostsSearch(props: HostsSearchProps) {
  return (
    <SearchField
      flex={{ base: '1 1 100%', md: '1 1 16rem' }}
      maw={{ md: '22rem' }}
      aria-label="Search hosts"
      placeholder="Search by username, email or mobile"
      {...props}
    />
  )
}
