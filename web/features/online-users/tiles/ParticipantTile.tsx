import {
  IconDeviceMobile,
  IconDotsVertical,
  IconEar,
  IconHandStop,
  IconHeadphones,
  IconHourglassHigh,
  IconMicrophone,
  IconMicrophoneOff,
  IconVolume,
} from '@tabler/icons-react'
import { type MouseEvent, useId } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { IconButton } from '../../../ui/light/Button.tsx'
import { Spinner } from '../../../ui/light/Spinner.tsx'
import { NOT_ANSWERING, type TileState, tileColour, tileState, tileWords } from './tile-state.ts'
import classes from './tiles.module.css'

const icons: Record<TileState, typeof IconEar> = {
  speaking: IconVolume,
  'wants-to-speak': IconHandStop,
  muted: IconMicrophoneOff,
  'speaker-on': IconMicrophone,
  listening: IconEar,
}

export interface TileActions {
  /** Clicked on a muted tile. */
  onUnmute: (user: RoomUser, event: MouseEvent) => void
  onMenu: (user: RoomUser, event: MouseEvent<HTMLElement>) => void
}

export type TileProps = TileActions & {
  user: RoomUser
  hostMuteAll: boolean
  meetingRuns: boolean
  disabled: boolean
  busy: boolean
}

/** The state is in the word and the icon too, not in the colour alone. */
export function ParticipantTile(props: TileProps) {
  const { user, hostMuteAll, meetingRuns, disabled, busy, onUnmute, onMenu } = props
  // Before the meeting starts a mark on each tile would be the same.
  const inMeeting = meetingRuns ? user.in_meeting : null
  const wordId = useId()
  const state = tileState(user)
  const Icon = icons[state]
  const isAlsoMuted = user.is_muted && state !== 'muted'

  return (
    <div
      className={classes.tile}
      data-colour={tileColour(user, hostMuteAll)}
      data-state={state}
      data-disabled={disabled || undefined}
      data-user-id={user.id}
      data-asleep={user.asleep || undefined}
      data-pending={user.pending_command ? true : undefined}
    >
      <span className={classes.icon}>
        {busy ? <Spinner size={18} /> : <Icon size={20} stroke={1.9} aria-hidden="true" />}
        {inMeeting === null ? null : <Presence inMeeting={inMeeting} />}
      </span>
      <span className={classes.words}>
        <span className={classes.name} title={user.username}>
          {user.username}
        </span>
        <span className={classes.word} id={wordId}>
          {user.asleep ? (
            <>
              {NOT_ANSWERING}
              <span className="unseen">, {tileWords[state]}</span>
            </>
          ) : (
            tileWords[state]
          )}
          {isAlsoMuted ? <span className="unseen">, muted</span> : null}
          {isAlsoMuted ? <IconMicrophoneOff size={14} stroke={2} aria-hidden="true" /> : null}
          {inMeeting === null ? null : <span className="unseen">, {presenceText(inMeeting)}</span>}
          {user.pending_command && !user.asleep ? (
            <>
              <IconHourglassHigh className={classes.pending} size={14} stroke={2} aria-hidden="true" />
              <span className="unseen">, the phone has not answered yet</span>
            </>
          ) : null}
        </span>
      </span>
      {/* Covers the tile; the same element before and after an unmute, so that it keeps the focus. */}
      <button
        type="button"
        className={classes.face}
        aria-label={user.is_muted ? `Unmute ${user.username}` : `Actions for ${user.username}`}
        aria-describedby={wordId}
        aria-haspopup={user.is_muted ? undefined : 'menu'}
        aria-busy={busy || undefined}
        disabled={disabled}
        onClick={(event) => (user.is_muted ? onUnmute(user, event) : onMenu(user, event))}
      />
      {user.is_muted ? (
        <IconButton
          className={classes.more}
          label={`Actions for ${user.username}`}
          aria-haspopup="menu"
          disabled={disabled}
          onClick={(event) => onMenu(user, event)}
        >
          <IconDotsVertical size={16} aria-hidden="true" />
        </IconButton>
      ) : (
        <IconDotsVertical className={classes.hint} size={16} aria-hidden="true" />
      )}
    </div>
  )
}

/** Only participants in Zoom's meeting have sound; the app alone shows the room. */
function Presence({ inMeeting }: { inMeeting: boolean }) {
  const Icon = inMeeting ? IconHeadphones : IconDeviceMobile
  return (
    <span className={classes.presence} data-presence={inMeeting ? 'meeting' : 'app'} title={presenceText(inMeeting)}>
      <Icon size={12} stroke={2.2} aria-hidden="true" />
    </span>
  )
}

function presenceText(inMeeting: boolean): string {
  return inMeeting ? 'in the meeting' : 'only in the app'
}
