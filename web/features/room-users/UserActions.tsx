import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconDotsVertical, IconPencil } from '@tabler/icons-react'
import { Fragment, memo } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { menuProps } from '../../ui/menu-props.ts'
import { USER_ACTS, type UserAct } from './user-acts.ts'

export type UserRowAction = 'edit' | 'copy' | UserAct

type UserActionsProps = { user: RoomUser; onAction: (action: UserRowAction, user: RoomUser) => void }

/** Only what applies to this user as it is now. */
export const UserActions = memo(function UserActions({ user, onAction }: UserActionsProps) {
  const { username } = user
  return (
    <>
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
      <Menu position="bottom-end" {...menuProps} width={200}>
        <Menu.Target>
          <ActionIcon aria-label={`More actions for ${username}`} title="More">
            <IconDotsVertical size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {USER_ACTS.filter(({ applies }) => applies(user)).map(({ action, label, icon: Icon }) => (
            <Fragment key={action}>
              {action === 'delete' ? <Menu.Divider /> : null}
              <Menu.Item
                color={action === 'delete' ? 'bad' : undefined}
                leftSection={<Icon size={16} aria-hidden="true" />}
                onClick={() => onAction(action, user)}
              >
                {label}
              </Menu.Item>
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
})
