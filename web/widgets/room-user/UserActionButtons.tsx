import { Badge, Button, Group, Menu, Stack, Text } from '@mantine/core'
import {
  IconChevronDown,
  IconCopy,
  IconMessage,
  IconMicrophone,
  IconMicrophoneOff,
  IconPencil,
} from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { menuProps } from '../../ui/menu-props.ts'
import { useToggleGuard } from '../../ui/use-click-guard.ts'
import { UserMenuItems } from './UserMenuItems.tsx'
import { UserStatusBadge } from './UserStatusBadge.tsx'
import type { UserRowAction } from './user-actions.ts'

const BUTTONS = ['mute', 'unmute'] as const

type UserActionButtonsProps = {
  user: RoomUser
  onAction: (action: UserRowAction, user: RoomUser) => Promise<unknown>
  onWord: () => void
}

/** The acts on this user: the frequent ones as buttons, the rest in a menu. */
export function UserActionButtons({ user, onAction, onWord }: UserActionButtonsProps) {
  const mute = user.is_muted ? 'unmute' : 'mute'
  const MuteIcon = user.is_muted ? IconMicrophone : IconMicrophoneOff
  const isMeant = useToggleGuard(mute)
  const button = (action: UserRowAction) => ({ variant: 'default', onClick: () => void onAction(action, user) })
  return (
    <Stack gap="md">
      <Group gap="0.375rem 0.625rem">
        <Text component="span" size="sm" ff="monospace" c="dimmed">
          {user.user_id}
        </Text>
        <UserStatusBadge user={user} />
        {user.is_muted ? (
          <Badge color="warn" leftSection={<IconMicrophoneOff size={13} aria-hidden="true" />}>
            Muted
          </Badge>
        ) : null}
      </Group>
      <Group gap="xs">
        <Button
          variant="default"
          onClick={(event: MouseEvent) => {
            if (isMeant(event)) void onAction(mute, user)
          }}
          leftSection={<MuteIcon size={16} stroke={1.75} aria-hidden="true" />}
        >
          {user.is_muted ? 'Unmute' : 'Mute'}
        </Button>
        <Button {...button('copy')} leftSection={<IconCopy size={16} stroke={1.75} aria-hidden="true" />}>
          Copy credentials
        </Button>
        <Button {...button('edit')} leftSection={<IconPencil size={16} stroke={1.75} aria-hidden="true" />}>
          Edit
        </Button>
        <Menu position="bottom-end" {...menuProps} withinPortal={false} width={200}>
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden="true" />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconMessage size={16} aria-hidden="true" />} onClick={onWord}>
              Send a word…
            </Menu.Item>
            <UserMenuItems user={user} without={BUTTONS} onAction={(action, seen) => void onAction(action, seen)} />
          </Menu.Dropdown>
        </Menu>
      </Group>
    </Stack>
  )
}
