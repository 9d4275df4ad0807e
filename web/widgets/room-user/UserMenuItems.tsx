import { Menu } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { INVITE, USER_LIST_ACTIONS, type UserRowAction } from './user-actions.ts'

type UserMenuItemsProps = {
  user: RoomUser
  first?: readonly { action: UserRowAction; label: string; icon: TablerIcon }[]
  /** Actions that have a button of their own beside the menu. */
  without?: readonly UserRowAction[]
  onAction: (action: UserRowAction, user: RoomUser) => void
}

/** Items follow the user as it was when the menu opened: none moves or turns into another under the pointer. */
export function UserMenuItems({ user, first = [], without = [], onAction }: UserMenuItemsProps) {
  const [seen] = useState(user)
  const acts = [
    ...first,
    INVITE,
    ...USER_LIST_ACTIONS.filter(({ action, applies }) => !without.includes(action) && applies(seen)),
  ]
  return acts.map(({ action, label, icon: Icon }) => (
    <Fragment key={action}>
      {action === 'delete' ? <Menu.Divider /> : null}
      <Menu.Item
        color={action === 'delete' ? 'bad' : undefined}
        leftSection={<Icon size={16} aria-hidden="true" />}
        onClick={() => onAction(action, seen)}
      >
        {label}
      </Menu.Item>
    </Fragment>
  ))
}
