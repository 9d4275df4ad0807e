import { useId } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { groupsOf } from '../../../widgets/user-groups/GroupChips.tsx'
import { GroupMarks } from './GroupMarks.tsx'
import { StateWords } from './StateWords.tsx'
import { type TileActions, TileButtons } from './TileButtons.tsx'
import { TileIcon } from './TileIcon.tsx'
import { maySpeak, tileColour, tileState } from './tile-state.ts'
import classes from './tiles.module.css'

export type TileProps = TileActions & {
  user: RoomUser
  /** All groups of the room. */
  groups: readonly UserGroup[]
  hostMuteAll: boolean
  meetingRuns: boolean
  disabled: boolean
  busy: boolean
  /** Words for the user in Zoom, as the host's seat sees it; null if there is nothing to say. */
  zoom: string | null
}

/** The word and the icon show the state too, not only the colour. */
export function ParticipantTile(props: TileProps) {
  const { user, groups, hostMuteAll, meetingRuns, disabled, busy, zoom, onUnmute, onMenu } = props
  // Before the meeting starts the mark would be the same on each tile.
  const inMeeting = meetingRuns ? user.in_meeting : null
  const wordId = useId()
  const isOpen = maySpeak(user, hostMuteAll)
  const own = groupsOf(user, groups)

  return (
    <div className={classes.tile} data-grouped={own.length > 0 || undefined} {...tileData(user, hostMuteAll, disabled)}>
      <TileIcon state={tileState(user)} isOpen={isOpen} busy={busy} inMeeting={inMeeting} />
      <span className={classes.words}>
        <bdi dir="auto" className={`two-lines ${classes.name}`} title={user.username}>
          {user.username}
        </bdi>
        <StateWords id={wordId} user={user} groups={own} hostMuteAll={hostMuteAll} inMeeting={inMeeting} zoom={zoom} />
      </span>
      <GroupMarks groups={own} />
      <TileButtons
        user={user}
        groups={own}
        disabled={disabled || !user.is_online}
        busy={busy}
        describedBy={wordId}
        onUnmute={onUnmute}
        onMenu={onMenu}
      />
    </div>
  )
}

/** Attributes that the style sheets use, on a tile and on a row. */
export function tileData(user: RoomUser, hostMuteAll: boolean, disabled: boolean) {
  return {
    'data-colour': tileColour(user, hostMuteAll),
    'data-state': tileState(user),
    'data-open': maySpeak(user, hostMuteAll) || undefined,
    'data-disabled': disabled || undefined,
    'data-user-id': user.id,
    'data-asleep': user.asleep || !user.is_online || undefined,
    'data-pending': user.pending_command ? true : undefined,
  }
}
