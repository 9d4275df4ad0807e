import { Box, Button, Group, NativeSelect, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Host } from '../../../../shared/hosts.ts'
import { ColumnsMenu } from '../../../ui/ColumnsMenu.tsx'
import { SortSelect } from '../../../ui/SortSelect.tsx'
import type { Table } from '../../../ui/use-data-table.tsx'
import { FILTER_GROUPS, HOST_FILTERS, type HostFilter, isHostFilter } from '../host-filters.ts'
import { HostsSearch } from './HostsSearch.tsx'
import type { HostsView } from './hosts-view.ts'

type HostsToolsProps = {
  view: HostsView
  onView: (part: Partial<HostsView>) => void
  counts: Map<HostFilter, number> | null
  table: Table<Host>
  /** Null while there is nothing to export. */
  onExport: (() => void) | null
  /** Counts the found hosts among all; null if all are found. */
  found: string | null
}

/** Filters, sorts and exports the list. */
export function HostsTools({ view, onView, counts, table, onExport, found }: HostsToolsProps) {
  const filterLabel = (filter: HostFilter) => {
    const count = filter === 'deleted' ? undefined : counts?.get(filter)
    return count === undefined ? HOST_FILTERS[filter].label : `${HOST_FILTERS[filter].label} (${count})`
  }

  return (
    <Group gap="sm">
      <HostsSearch words={view.words} onSearch={(words) => onView({ words })} />
      <NativeSelect
        flex={{ base: '1 1 100%', md: '0 1 15rem' }}
        aria-label="Show"
        value={view.filter}
        data={FILTER_GROUPS.map(({ group, filters }) => ({
          group,
          items: filters.map((filter) => ({ value: filter, label: filterLabel(filter) })),
        }))}
        onChange={({ currentTarget: { value } }) => {
          if (isHostFilter(value)) onView({ filter: value })
        }}
      />
      {found ? (
        <Text component="span" size="sm" c="dimmed" role="status">
          {found}
        </Text>
      ) : null}
      <SortSelect table={table} flex="1 1 100%" hiddenFrom="md" />
      <Group gap="xs" wrap="nowrap" ml="auto" flex={{ base: 1, md: 'none' }}>
        {view.filter === 'deleted' ? null : (
          <Box visibleFrom="md">
            <ColumnsMenu table={table} />
          </Box>
        )}
        <Button
          variant="default"
          flex={{ base: 1, md: 'none' }}
          leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
          disabled={!onExport}
          onClick={() => onExport?.()}
        >
          Export CSV
        </Button>
      </Group>
    </Group>
  )
}
