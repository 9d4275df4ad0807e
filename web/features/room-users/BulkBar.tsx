import { Button, Checkbox, Group, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Fragment, memo } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { menuProps } from '../../ui/menu-props.ts'
import classes from './BulkBar.module.css'
import { USER_ACTS, type UserAct } from './user-acts.ts'

type BulkBarProps = {
  /** The selected users, as they are now. */
  chosen: readonly RoomUser[]
  found: number
  busy: boolean
  onSelectAll: (isSelected: boolean) => void
  onAction: (action: UserAct) => void
}

/** Actions on the selected users. Shown without a selection too: pressing a button then asks for one. */
export const BulkBar = memo(function BulkBar({ chosen, found, busy, onSelectAll, onAction }: BulkBarProps) {
  const count = chosen.length
  const acts = USER_ACTS.map((act) => ({ ...act, isOff: busy || (count > 0 && !chosen.some(act.applies)) }))
  return (
    <Group
      component="section"
      justify="space-between"
      gap="xs"
      className={classes.bar}
      aria-label="Bulk actions"
      data-chosen={count > 0 || undefined}
    >
      <Checkbox
        size="sm"
        label={count > 0 ? `${count} selected` : `Select all ${found}`}
        checked={count > 0 && count === found}
        indeterminate={count > 0 && count < found}
        onChange={() => onSelectAll(count === 0)}
      />
      <Group gap={6} visibleFrom="md">
        {acts.map(({ action, label, icon: Icon, isOff }) => (
          <Button
            key={action}
            size="compact-sm"
            variant="default"
            c={action === 'delete' && !isOff ? 'var(--bad)' : undefined}
            leftSection={<Icon size={15} stroke={1.75} aria-hidden="true" />}
            disabled={isOff}
            onClick={() => onAction(action)}
          >
            {label}
          </Button>
        ))}
      </Group>
      <Menu position="top-end" {...menuProps} width={200}>
        <Menu.Target>
          <Button
            hiddenFrom="md"
            variant={count > 0 ? 'filled' : 'default'}
            rightSection={<IconChevronDown size={16} aria-hidden="true" />}
            loading={busy}
          >
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {acts.map(({ action, label, icon: Icon, isOff }) => (
            <Fragment key={action}>
              {action === 'delete' ? <Menu.Divider /> : null}
              <Menu.Item
                color={action === 'delete' ? 'bad' : undefined}
                leftSection={<Icon size={16} aria-hidden="true" />}
                disabled={isOff}
                onClick={() => onAction(action)}
              >
                {label}
              </Menu.Item>
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
})
