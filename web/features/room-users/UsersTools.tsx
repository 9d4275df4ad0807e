import { Checkbox, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { ColumnsMenu } from '../../ui/ColumnsMenu.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { SortSelect } from '../../ui/SortSelect.tsx'
import type { Table } from '../../ui/use-data-table.tsx'
import { GroupFilter } from './groups/GroupFilter.tsx'
import { FilterButton, SeenBeforeFilter } from './UserFilterButtons.tsx'
import classes from './UsersTools.module.css'
import type { UserFilter } from './user-filters.ts'
import type { UsersView } from './users-view.ts'

type UsersToolsProps = {
  view: UsersView
  onView: (part: Partial<UsersView>) => void
  groups: readonly UserGroup[]
  users: readonly RoomUser[]
  counts: Record<UserFilter, number>
  table: Table<RoomUser>
  selected: number
  found: number
  onSelectAll: (isSelected: boolean) => void
  /** The menu of actions on the selected users. */
  actions: ReactNode
  /** Names the active filters. */
  children: ReactNode
}

const FILTERS = [
  { filter: 'never-signed-in', label: 'Never signed in' },
  { filter: 'open-link', label: 'Open link' },
  { filter: 'muted', label: 'Muted' },
  { filter: 'older-app', label: 'Older app' },
] as const

/** Filters and sorts the list, and chooses its columns. */
export function UsersTools(props: UsersToolsProps) {
  const { view, onView, groups, users, counts, table, selected, found, onSelectAll, actions, children } = props
  return (
    <div className={`no-print ${classes.tools}`}>
      <Group gap={10}>
        <SearchField
          className={classes.search}
          aria-label="Filter users"
          placeholder="Filter by username, ID or reference"
          words={view.words}
          onSearch={(words) => onView({ words })}
        />
        <Group gap={6} className={classes.filters} role="group" aria-label="Show only">
          {FILTERS.map(({ filter, label }) => (
            <FilterButton
              key={filter}
              label={label}
              count={counts[filter]}
              pressed={view.show === filter}
              onPress={() => onView({ show: view.show === filter ? 'total' : filter })}
            />
          ))}
          {groups.length > 0 || view.group !== null ? (
            <GroupFilter groups={groups} users={users} group={view.group} onGroup={(group) => onView({ group })} />
          ) : null}
          <SeenBeforeFilter day={view.seenBefore} onDay={(seenBefore) => onView({ seenBefore })} />
        </Group>
        <Group gap="xs" wrap="nowrap" ms="auto" className={classes.table}>
          <ColumnsMenu table={table} hint="Room is the same in every row." />
          {actions}
        </Group>
        <Group gap="sm" wrap="nowrap" className={classes.cards}>
          <Checkbox
            size="sm"
            label={<span>All {found.toLocaleString('en')}</span>}
            aria-label={`Select all ${found.toLocaleString('en')}`}
            checked={selected > 0 && selected === found}
            indeterminate={selected > 0 && selected < found}
            disabled={found === 0}
            onChange={() => onSelectAll(selected === 0)}
          />
          <SortSelect table={table} unsorted="As added" className={classes.sort} />
          {selected === 0 ? actions : null}
        </Group>
      </Group>
      <Group justify="space-between" gap="0 0.625rem" className={classes.status}>
        {children}
      </Group>
    </div>
  )
}
