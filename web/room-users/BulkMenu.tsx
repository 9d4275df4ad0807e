import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconLogout, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import type { UserAction } from '../../shared/room-users.ts'

import { menuProps } from './menu-props.ts'

export type BulkAction = Extract<UserAction, 'activate' | 'deactivate' | 'logout' | 'delete'>

type BulkMenuProps = { selectedCount: number; busy: boolean; onAction: (action: BulkAction) => void }

/** Open to be read with nothing selected, too: choosing then says what is missing. */
export function BulkMenu({ selectedCount, busy, onAction }: BulkMenuProps) {
  return (
    <Menu position="bottom-end" {...menuProps} width={200}>
      <Menu.Target>
        <Button
          variant={selectedCount > 0 ? 'light' : 'default'}
          rightSection={<IconChevronDown size={16} aria-hidden="true" />}
          loading={busy}
        >
          Bulk actions{selectedCount > 0 ? ` (${selectedCount})` : ''}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden="true" />} onClick={() => onAction('activate')}>
          Activate
        </Menu.Item>
        <Menu.Item leftSection={<IconPlayerStop size={16} aria-hidden="true" />} onClick={() => onAction('deactivate')}>
          Deactivate
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={() => onAction('logout')}>
          Log out
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="var(--bad)"
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          onClick={() => onAction('delete')}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
