import { IconDeviceMobileOff, IconMicrophoneOff, IconVolume } from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import type { Act } from '../controls/participant-actions.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { useRoom, usersOf } from '../live-room/use-room.ts'
import { NOT_ANSWERING } from '../tiles/tile-state.ts'
import { useClickGuard } from '../tiles/use-click-guard.ts'
import classes from './ActiveUsers.module.css'

/** When more speak at once than this, nobody can be told from another; the number says how many. */
const SHOWN = 30

type ActiveUsersProps = {
  store: LiveRoomStore
  disabled: boolean
  onAct: Act
}

/** Who speaks now, in one line of fixed height: the tiles below must not move when somebody starts. */
export const ActiveUsers = memo(function ActiveUsers({ store, disabled, onAct }: ActiveUsersProps) {
  const users = useRoom(store, usersOf)
  const speaking = useMemo(() => users.filter((user) => user.is_speaking), [users])
  const ids = useMemo(() => speaking.map(({ id }) => id), [speaking])
  const mayClick = useClickGuard(ids)

  return (
    <section className={classes.section} aria-labelledby="active-users">
      <h2 id="active-users" className={classes.title}>
        Active Users
        {speaking.length > 0 ? <span className={classes.count}>{speaking.length}</span> : null}
      </h2>
      {speaking.length === 0 ? (
        <p className={classes.nobody}>Nobody is speaking</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a line that scrolls sideways must be reachable by keyboard
        <ul className={classes.line} tabIndex={0} aria-label="Speaking now">
          {speaking.slice(0, SHOWN).map((user) => (
            <Speaker key={user.id} user={user} disabled={disabled} mayClick={mayClick} onAct={onAct} />
          ))}
          {speaking.length > SHOWN ? <li className={classes.more}>and {speaking.length - SHOWN} more</li> : null}
        </ul>
      )}
    </section>
  )
})

type SpeakerProps = Pick<ActiveUsersProps, 'disabled' | 'onAct'> & {
  user: RoomUser
  mayClick: (id: string) => boolean
}

const Speaker = memo(function Speaker({ user, disabled, mayClick, onAct }: SpeakerProps) {
  return (
    <li className={classes.speaker}>
      <IconVolume size={17} stroke={1.9} aria-hidden="true" />
      <span className={classes.name}>{user.username}</span>
      {user.asleep ? (
        <span className={classes.asleep} role="img" aria-label={NOT_ANSWERING} title={NOT_ANSWERING}>
          <IconDeviceMobileOff size={16} stroke={1.9} aria-hidden="true" />
        </span>
      ) : null}
      <IconButton
        className={classes.mute}
        label={`Mute ${user.username}`}
        disabled={disabled}
        onClick={({ detail }) => {
          if (detail === 0 || mayClick(user.id)) void onAct(user, 'mute')
        }}
      >
        <IconMicrophoneOff size={16} aria-hidden="true" />
      </IconButton>
    </li>
  )
})
