import { Select } from '@mantine/core'
import { useMemo } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { GroupLine, GroupSwatch } from '../../../widgets/user-groups/GroupChips.tsx'
import classes from './groups.module.css'

type GroupFilterProps = {
  groups: readonly UserGroup[]
  users: readonly RoomUser[]
  group: string | null
  onGroup: (id: string | null) => void
}

/** Filters by one group, with the number of users in each. */
export function GroupFilter({ groups, users, group, onGroup }: GroupFilterProps) {
  const data = useMemo(() => {
    const counts = new Map<string, number>()
    for (const { group_ids } of users) for (const id of group_ids) counts.set(id, (counts.get(id) ?? 0) + 1)
    return groups.map(({ id, name }) => ({
      value: id,
      label: `${name} (${(counts.get(id) ?? 0).toLocaleString('en')})`,
    }))
  }, [groups, users])
  const chosen = groups.find(({ id }) => id === group)
  return (
    <Select
      className={classes.filter}
      aria-label="Group"
      placeholder="All groups"
      size="xs"
      data={chosen || group === null ? data : [...data, { value: group, label: 'A deleted group' }]}
      value={group}
      onChange={onGroup}
      clearable
      clearSectionMode="clear"
      searchable={groups.length > 10}
      nothingFoundMessage="No such group"
      comboboxProps={{ portalProps: { target: '#content' }, width: 240, position: 'bottom-start' }}
      clearButtonProps={{ 'aria-label': 'All groups', className: classes.clear }}
      leftSection={chosen ? <GroupSwatch colour={chosen.colour} /> : null}
      renderOption={({ option: { value, label } }) => (
        <GroupLine colour={groups.find(({ id }) => id === value)?.colour ?? 'grey'}>
          <PersonText text={label} wraps />
        </GroupLine>
      )}
    />
  )
}
