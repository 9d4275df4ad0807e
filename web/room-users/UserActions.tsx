import { ActionIcon, Menu } from '@mantine/core'
import {
  IconCopy,
  IconDeviceMobileX,
  IconDotsVertical,
  IconLogout,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
} from '@tabler/icons-react'
import { memo } from 'react'
import type { RoomUser, UserAction } from '../../shared/room-users.ts'
import { menuProps } from './menu-props.ts'
import classes from './UsersTable.module.css'

export type UserRowAction = 'edit' | 'copy' | Exclude<UserAction, 'mute' | 'unmute' | 'lower-hand'>

type UserActionsProps = { user: RoomUser; onAction: (action: UserRowAction, user: RoomUser) => void }

/** Only what applies to this user as it is now. */
export const UserActions = memo(function UserActions({ user, onAction }: UserActionsProps) {
  const { username } = user
  return (
    <span className={classes.actions}>
      <ActionIcon aria-label={`Edit ${username}`} title="Edit" onClick={() => onAction('edit', user)}>
        <IconPencil size={18} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Copy credentials of ${username}`}
        title="Copy credentials"
        onClick={() => onAction('copy', user)}
      >
        <IconCopy size={18} stroke={1.75} />
      </ActionIcon>
      <Menu position="bottom-end" {...menuProps} width={220}>
        <Menu.Target>
          <ActionIcon aria-label={`More actions for ${username}`} title="More">
            <IconDotsVertical size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {user.is_active ? (
            <Menu.Item
              leftSection={<IconPlayerStop size={16} aria-hidden="true" />}
              onClick={() => onAction('deactivate', user)}
            >
              Deactivate
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
              onClick={() => onAction('activate', user)}
            >
              Activate
            </Menu.Item>
          )}
          {user.is_online ? (
            <Menu.Item
              leftSection={<IconLogout size={16} aria-hidden="true" />}
              onClick={() => onAction('logout', user)}
            >
              Log out
            </Menu.Item>
          ) : null}
          {user.device_id ? (
            <Menu.Item
              leftSection={<IconDeviceMobileX size={16} aria-hidden="true" />}
              onClick={() => onAction('switch', user)}
            >
              Switch phone
            </Menu.Item>
          ) : null}
          <Menu.Divider />
          <Menu.Item
            color="var(--bad)"
            leftSection={<IconTrash size={16} aria-hidden="true" />}
            onClick={() => onAction('delete', user)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </span>
  )
})
