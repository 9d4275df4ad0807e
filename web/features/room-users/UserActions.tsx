import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconDotsVertical, IconPencil } from '@tabler/icons-react'
import { memo } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import cells from '../../ui/cells.module.css'
import { menuProps } from '../../ui/menu-props.ts'
import { UserMenuItems } from '../../widgets/room-user/UserMenuItems.tsx'
import type { UserRowAction } from '../../widgets/room-user/user-actions.ts'
import classes from './user-columns.module.css'

type UserActionsProps = { user: RoomUser; onAction: (action: UserRowAction, user: RoomUser) => void }

const FREQUENT = [
  { action: 'edit', label: 'Edit', of: 'Edit', icon: IconPencil },
  { action: 'copy', label: 'Copy credentials', of: 'Copy credentials of', icon: IconCopy },
] as const

/** The menu has all actions that apply to this user now, in words; a card has only the menu. */
export const UserActions = memo(function UserActions({ user, onAction }: UserActionsProps) {
  const { username } = user
  return (
    <>
      {FREQUENT.map(({ action, label, of, icon: Icon }) => (
        <ActionIcon
          key={action}
          className={cells.inTable}
          size="md"
          aria-label={`${of} ${username}`}
          title={label}
          onClick={() => onAction(action, user)}
        >
          <Icon size={17} stroke={1.75} aria-hidden="true" />
        </ActionIcon>
      ))}
      <Menu position="bottom-end" {...menuProps} width={200}>
        <Menu.Target>
          <ActionIcon className={classes.menu} size="md" aria-label={`More actions for ${username}`} title="More">
            <IconDotsVertical size={18} stroke={1.75} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <UserMenuItems user={user} first={FREQUENT} onAction={onAction} />
        </Menu.Dropdown>
      </Menu>
    </>
  )
})
