import { IconBellRinging, IconDotsVertical, IconMicrophoneOff, IconPhone, IconRobot } from '@tabler/icons-react'
import { type MouseEvent, memo, useId } from 'react'
import type { Attendee } from '../../../../shared/seat.ts'
import { IconButton } from '../../../ui/base/Button.tsx'
import { TileIcon } from '../tiles/TileIcon.tsx'
import tiles from '../tiles/tiles.module.css'
import { guestMarks, guestState } from './guest-state.ts'
import classes from './guests.module.css'

export type GuestActions = {
  onMute: (guest: Attendee, event: MouseEvent) => void
  onMenu: (guest: Attendee, event: MouseEvent<HTMLElement>) => void
}

export type GuestTileProps = GuestActions & {
  guest: Attendee
  isSpeaking: boolean
  busy: boolean
  disabled: boolean
  /** When a lost seat last saw the guest, as a time of day. */
  lastSeen: string | null
}

/** Somebody in Zoom only: one press mutes or asks, and the menu has everything else. Disabled buttons keep the focus. */
export const GuestTile = memo(function GuestTile(props: GuestTileProps) {
  const { guest, isSpeaking, busy, disabled, lastSeen, onMute, onMenu } = props
  const { colour, state, word } = guestState(guest, isSpeaking)
  const wordId = useId()
  const isGone = lastSeen !== null
  const marks = guestMarks(guest)
  const hasVoice = guest.audio !== ''
  return (
    <div
      className={`${tiles.tile} ${classes.tile}`}
      data-colour={colour}
      data-state={state}
      data-gone={isGone || undefined}
      data-disabled={disabled || undefined}
      data-guest={guest.key}
    >
      <TileIcon state={state} isOpen={false} busy={busy} inMeeting={null} />
      <span className={tiles.words}>
        <bdi dir="auto" className={`two-lines ${tiles.name}`} title={guest.name}>
          {guest.name}
        </bdi>
        <span className={tiles.state} id={wordId}>
          <span className={classes.word}>{isGone ? `Last seen ${lastSeen}` : [word, ...marks].join(', ')}</span>
          {guest.is_bot ? <IconRobot size={14} stroke={2} aria-hidden="true" /> : null}
          {guest.audio === 'phone' ? <IconPhone size={14} stroke={2} aria-hidden="true" /> : null}
        </span>
      </span>
      <button
        type="button"
        className={tiles.face}
        aria-label={`Actions for ${guest.name}`}
        aria-describedby={wordId}
        aria-haspopup="menu"
        aria-busy={busy || undefined}
        aria-disabled={disabled || undefined}
        onClick={disabled ? undefined : (event) => onMenu(guest, event)}
      />
      {hasVoice && !isGone ? (
        <IconButton
          className={tiles.more}
          label={guest.muted ? `Ask ${guest.name} to unmute` : `Mute ${guest.name}`}
          off={disabled}
          onClick={(event) => onMute(guest, event)}
        >
          {guest.muted ? (
            <IconBellRinging size={16} aria-hidden="true" />
          ) : (
            <IconMicrophoneOff size={16} aria-hidden="true" />
          )}
        </IconButton>
      ) : (
        <IconDotsVertical className={tiles.hint} size={16} aria-hidden="true" />
      )}
    </div>
  )
})
