import { Menu } from '@mantine/core'
import { IconLogout, IconMicrophone, IconMicrophoneOff } from '@tabler/icons-react'
import type { RoomUser } from '../../shared/room-users.ts'
import { menuProps } from '../room-users/menu-props.ts'
import classes from './TileMenu.module.css'
import type { ParticipantAction } from './use-act-on-participant.ts'

/** Which tile's menu is open, and where the button that opened it stands. */
export interface OpenMenu {
  userId: string
  button: HTMLElement
  place: DOMRect
}

type TileMenuProps = {
  open: OpenMenu
  user: RoomUser
  disabled: boolean
  onClose: () => void
  onAct: (user: RoomUser, action: ParticipantAction) => void
}

/** One menu for all tiles, since two thousand tiles would be two thousand menus; it hangs on a stand-in for the button. */
export function TileMenu({ open, user, disabled, onClose, onAct }: TileMenuProps) {
  const { left, top, width, height } = open.place

  function handleChange(isOpen: boolean) {
    if (isOpen) return
    onClose()
    open.button.focus()
  }

  return (
    <Menu opened onChange={handleChange} position="bottom-end" returnFocus={false} {...menuProps} width={200}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Actions for ${user.username}`}
          className={classes.anchor}
          style={{ left, top, width, height }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${user.username}`}>
        <Menu.Label>{user.username}</Menu.Label>
        {user.is_muted ? (
          <Menu.Item
            disabled={disabled}
            leftSection={<IconMicrophone size={16} aria-hidden="true" />}
            onClick={() => onAct(user, 'unmute')}
          >
            Unmute
          </Menu.Item>
        ) : (
          <Menu.Item
            disabled={disabled}
            leftSection={<IconMicrophoneOff size={16} aria-hidden="true" />}
            onClick={() => onAct(user, 'mute')}
          >
            Mute
          </Menu.Item>
        )}
        <Menu.Item
          disabled={disabled}
          color="var(--bad)"
          leftSection={<IconLogout size={16} aria-hidden="true" />}
          onClick={() => onAct(user, 'logout')}
        >
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
