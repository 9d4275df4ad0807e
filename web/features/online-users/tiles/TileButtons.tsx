import { IconDotsVertical } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { IconButton } from '../../../ui/base/Button.tsx'
import { spokenTime } from '../../../widgets/room-user/spoken-words.ts'
import classes from './tiles.module.css'

export interface TileActions {
  /** Called for a click on a muted tile. */
  onUnmute: (user: RoomUser, event: MouseEvent) => void
  onMenu: (user: RoomUser, event: MouseEvent<HTMLElement>) => void
}

type TileButtonsProps = TileActions & {
  user: RoomUser
  groups: readonly UserGroup[]
  disabled: boolean
  busy: boolean
  describedBy: string
}

/**
 * The buttons of a tile or a row: one press unmutes a muted user; the menu has everything else. Disabled ones keep the
 * focus, so that a short loss of the connection takes nobody's place in a long list.
 */
export function TileButtons({ user, groups, disabled, busy, describedBy, onUnmute, onMenu }: TileButtonsProps) {
  return (
    <>
      {/* Covers the tile; the same element before and after an unmute, so that it keeps the focus. */}
      <button
        type="button"
        className={classes.face}
        aria-label={user.is_muted ? `Unmute ${user.username}` : `Actions for ${user.username}`}
        aria-describedby={describedBy}
        title={marksOf(user, groups)}
        aria-haspopup={user.is_muted ? undefined : 'menu'}
        aria-busy={busy || undefined}
        aria-disabled={disabled || undefined}
        onClick={disabled ? undefined : (event) => (user.is_muted ? onUnmute(user, event) : onMenu(user, event))}
      />
      {user.is_muted ? (
        <IconButton
          className={classes.more}
          label={`Actions for ${user.username}`}
          aria-haspopup="menu"
          off={disabled}
          onClick={(event) => onMenu(user, event)}
        >
          <IconDotsVertical size={16} aria-hidden="true" />
        </IconButton>
      ) : (
        <IconDotsVertical className={classes.hint} size={16} aria-hidden="true" />
      )}
    </>
  )
}

/** Says in full the marks for which a tile has no words. */
function marksOf({ is_pinned, spoken_ms }: RoomUser, groups: readonly UserGroup[]): string | undefined {
  const marks = [
    ...(groups.length > 0 ? [groups.map(({ name }) => name).join(', ')] : []),
    ...(is_pinned ? ['Pinned: Mute All leaves this user as it is'] : []),
    ...(spoken_ms > 0 ? [`Spoke ${spokenTime(spoken_ms)} in this meeting`] : []),
  ]
  return marks.length > 0 ? marks.join('\n') : undefined
}
