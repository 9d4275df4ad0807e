import { Menu } from '@mantine/core'
import {
  IconBellRinging,
  IconDoor,
  IconHandOff,
  IconMicrophone,
  IconMicrophoneOff,
  IconUserOff,
} from '@tabler/icons-react'
import type { Attendee, AttendeeAction } from '../../../../shared/seat.ts'
import { useRights } from '../../../lib/session/rights.ts'
import { menuProps } from '../../../ui/menu-props.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import type { ActOnAttendee } from './act-on-attendee.ts'

/** The open menu's guest, as it was when the menu opened, and the position of its button. */
export type OpenGuestMenu = { guest: Attendee; button: HTMLElement; rect: DOMRect }

type GuestMenuProps = {
  open: OpenGuestMenu
  disabled: boolean
  onAct: ActOnAttendee
  onRemove: (guest: Attendee) => void
  onClose: () => void
}

/** A single menu for all guests, anchored to an invisible copy of the tile's button. */
export function GuestMenu({ open, disabled, onAct, onRemove, onClose }: GuestMenuProps) {
  const { guest, button, rect } = open
  const { left, top, width, height } = rect
  const { managesUsers } = useRights()
  const label = `Actions for ${guest.name}`

  function handleChange(isOpen: boolean) {
    if (isOpen) return
    onClose()
    button.focus()
  }

  const act = (words: string, Icon: typeof IconDoor, action: AttendeeAction) => (
    <Menu.Item
      leftSection={<Icon size={16} aria-hidden="true" />}
      disabled={disabled}
      onClick={() => void onAct(guest, action)}
    >
      {words}
    </Menu.Item>
  )
  return (
    <Menu opened onChange={handleChange} position="bottom-end" returnFocus={false} {...menuProps} width={230}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={label}
          style={{ all: 'unset', position: 'fixed', pointerEvents: 'none', left, top, width, height }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        <Menu.Label>
          <PersonText text={guest.name} />
        </Menu.Label>
        {guest.audio !== '' && guest.muted === false ? act('Mute', IconMicrophoneOff, 'mute') : null}
        {guest.audio !== '' && guest.muted !== false ? act('Ask to unmute', IconBellRinging, 'ask-unmute') : null}
        {guest.is_allowed ? null : act('Let speak under Mute All', IconMicrophone, 'allow')}
        {guest.hand ? act('Lower hand', IconHandOff, 'lower-hand') : null}
        {managesUsers ? <Menu.Divider /> : null}
        {managesUsers ? act('Send to the waiting room', IconDoor, 'hold') : null}
        {managesUsers ? (
          <Menu.Item
            color="bad"
            leftSection={<IconUserOff size={16} aria-hidden="true" />}
            disabled={disabled}
            onClick={() => onRemove(guest)}
          >
            Remove from the meeting
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}
