import { Menu } from '@mantine/core'
import {
  IconBellRinging,
  IconDoor,
  IconHandOff,
  IconMicrophone,
  IconMicrophoneOff,
  IconUserOff,
} from '@tabler/icons-react'
import { useLayoutEffect, useRef } from 'react'
import type { Attendee, AttendeeAction } from '../../../../shared/seat.ts'
import { useRights } from '../../../lib/session/rights.ts'
import { menuProps } from '../../../ui/menu-props.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { MOVED_GUARD_MS } from '../../../ui/use-click-guard.ts'
import type { ActOnAttendee } from './act-on-attendee.ts'

/** The open menu's guest, as it was when the menu opened, and the position of its button. */
export type OpenGuestMenu = { guest: Attendee; button: HTMLElement; rect: DOMRect }

type GuestMenuProps = {
  open: OpenGuestMenu
  guest: Attendee // as it is now
  disabled: boolean
  onAct: ActOnAttendee
  onRemove: (guest: Attendee) => void
  onClose: () => void
}

/**
 * A single menu for all guests, anchored to an invisible copy of the tile's button. It follows the guest: an item that no
 * longer applies stays in its place, and presses right after a change are ignored.
 */
export function GuestMenu({ open, guest, disabled, onAct, onRemove, onClose }: GuestMenuProps) {
  const { guest: opened, button, rect } = open
  const { left, top, width, height } = rect
  const { managesUsers } = useRights()
  const label = `Actions for ${guest.name}`

  function handleChange(isOpen: boolean) {
    if (isOpen) return
    onClose()
    button.focus()
  }

  const hasSound = guest.audio !== ''
  const isOpen = hasSound && guest.muted === false
  const isSettled = useSettled([hasSound, isOpen, guest.is_allowed, guest.hand, disabled].join())
  const item = (words: string, Icon: typeof IconDoor, isOffered: boolean, onPress: () => void, props = {}) => (
    <Menu.Item
      leftSection={<Icon size={16} aria-hidden="true" />}
      closeMenuOnClick={false}
      data-disabled={!isOffered || disabled || undefined}
      aria-disabled={!isOffered || disabled}
      onClick={() => {
        if (!isOffered || disabled || !isSettled()) return
        onPress()
        handleChange(false)
      }}
      {...props}
    >
      {words}
    </Menu.Item>
  )
  const act = (words: string, Icon: typeof IconDoor, action: AttendeeAction, isOffered = true) =>
    item(words, Icon, isOffered, () => void onAct(guest, action))
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
        {hasSound || opened.audio !== ''
          ? isOpen
            ? act('Mute', IconMicrophoneOff, 'mute')
            : act('Ask to unmute', IconBellRinging, 'ask-unmute', hasSound)
          : null}
        {guest.is_allowed && opened.is_allowed
          ? null
          : act('Let speak under Mute All', IconMicrophone, 'allow', !guest.is_allowed)}
        {guest.hand || opened.hand ? act('Lower hand', IconHandOff, 'lower-hand', guest.hand) : null}
        {managesUsers ? <Menu.Divider /> : null}
        {managesUsers ? act('Send to the waiting room', IconDoor, 'hold') : null}
        {managesUsers
          ? item('Remove from the meeting', IconUserOff, true, () => onRemove(guest), { color: 'bad' })
          : null}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Returns whether what is shown has stood for long enough to be what was pressed. */
function useSettled(shown: string): () => boolean {
  const last = useRef({ shown, changedAt: Number.NEGATIVE_INFINITY })
  useLayoutEffect(() => {
    if (shown !== last.current.shown) last.current = { shown, changedAt: performance.now() }
  }, [shown])
  return () => performance.now() - last.current.changedAt >= MOVED_GUARD_MS
}
