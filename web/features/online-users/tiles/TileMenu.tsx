import { Menu, type MenuItemProps } from '@mantine/core'
import {
  IconCopy,
  IconHandOff,
  IconInfoCircle,
  IconLogout,
  IconMessage,
  IconMicrophone,
  IconMicrophoneOff,
  IconPin,
  IconPinnedOff,
  IconUserOff,
  IconUsersMinus,
} from '@tabler/icons-react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { useRights } from '../../../lib/session/rights.ts'
import { menuProps } from '../../../ui/menu-props.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { GroupChips, groupsOf } from '../../../widgets/user-groups/GroupChips.tsx'
import type { MuteOthers } from '../controls/mute-all.ts'
import type { Act, ParticipantAction } from '../controls/participant-actions.ts'

/** The open menu's user, and the position of its button. */
export interface OpenMenu {
  /** The user as it was when the menu opened, so that the items do not change under the pointer. */
  user: RoomUser
  button: HTMLElement
  rect: DOMRect
}

type TileMenuProps = {
  open: OpenMenu
  groups: readonly UserGroup[]
  disabled: boolean
  onClose: () => void
  onAct: Act
  onMuteOthers: MuteOthers
  onWord: (user: RoomUser) => void
  onCopy: (user: RoomUser) => void
  onDetails: (user: RoomUser) => void
}

/**
 * A single menu for all tiles, since there may be two thousand; it is anchored to an invisible copy of the tile's
 * button.
 */
export function TileMenu(props: TileMenuProps) {
  const { open, groups, disabled, onClose, onAct, onMuteOthers, onWord, onCopy, onDetails } = props
  const { user } = open
  const { left, top, width, height } = open.rect
  const { managesUsers } = useRights()

  function handleChange(isOpen: boolean) {
    if (isOpen) return
    onClose()
    open.button.focus()
  }

  const item = (words: string, Icon: typeof IconLogout, onClick: () => void, props: Partial<MenuItemProps> = {}) => (
    <Menu.Item leftSection={<Icon size={16} aria-hidden="true" />} onClick={onClick} {...props}>
      {words}
    </Menu.Item>
  )
  const act = (words: string, Icon: typeof IconLogout, action: ParticipantAction, props?: Partial<MenuItemProps>) =>
    item(words, Icon, () => void onAct(user, action), { disabled, ...props })

  return (
    <Menu opened onChange={handleChange} position="bottom-end" returnFocus={false} {...menuProps} width={230}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Actions for ${user.username}`}
          style={{ all: 'unset', position: 'fixed', pointerEvents: 'none', left, top, width, height }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${user.username}`}>
        <Menu.Label>
          <PersonText text={user.username} />
          <GroupChips groups={groupsOf(user, groups)} />
        </Menu.Label>
        {user.is_muted ? act('Unmute', IconMicrophone, 'unmute') : act('Mute', IconMicrophoneOff, 'mute')}
        {user.is_muted
          ? null
          : item('Mute all but this one', IconUsersMinus, () => void onMuteOthers(user), { disabled })}
        {user.wants_to_speak ? act('Lower hand', IconHandOff, 'lower-hand') : null}
        {user.is_pinned ? act('Unpin', IconPinnedOff, 'unpin') : act('Pin through Mute All', IconPin, 'pin')}
        {item('Send a word…', IconMessage, () => onWord(user), { disabled })}
        {managesUsers ? item('Copy credentials', IconCopy, () => onCopy(user)) : null}
        {managesUsers ? item('Details', IconInfoCircle, () => onDetails(user)) : null}
        <Menu.Divider />
        {act('Sign out', IconLogout, 'logout', { color: 'bad' })}
        {managesUsers ? act('Deactivate', IconUserOff, 'deactivate', { color: 'bad' }) : null}
      </Menu.Dropdown>
    </Menu>
  )
}
