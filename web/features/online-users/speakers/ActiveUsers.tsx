import { Paper } from '@mantine/core'
import { IconDeviceMobileOff, IconMicrophoneOff, IconVolume } from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import { useStore } from 'zustand'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { IconButton } from '../../../ui/light/Button.tsx'
import type { Act } from '../controls/participant-actions.ts'
import { type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'
import { NOT_ANSWERING } from '../tiles/tile-state.ts'
import { type ClickGuard, useClickGuard } from '../tiles/use-click-guard.ts'
import classes from './speakers.module.css'

/** More cannot be distinguished; the count covers the rest. */
const SHOWN = 30

type ActiveUsersProps = {
  store: LiveRoomStore
  disabled: boolean
  onAct: Act
}

/** One line of fixed height, so that the tiles below do not move when someone starts to speak. */
export const ActiveUsers = memo(function ActiveUsers({ store, disabled, onAct }: ActiveUsersProps) {
  const users = useStore(store, usersOf)
  const speaking = useMemo(() => users.filter((user) => user.is_speaking), [users])
  const ids = useMemo(() => speaking.map(({ id }) => id), [speaking])
  const isMeant = useClickGuard(ids)

  return (
    <Paper component="section" className={classes.active} aria-labelledby="active-users">
      <h2 id="active-users" className={classes.title}>
        Active Users
        {speaking.length > 0 ? <span className={classes.count}>{speaking.length}</span> : null}
      </h2>
      {speaking.length === 0 ? (
        <p className={classes.empty}>No one is speaking</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a line that scrolls sideways must be reachable by keyboard
        <ul className={classes.line} tabIndex={0} aria-label="Speaking now">
          {speaking.slice(0, SHOWN).map((user) => (
            <Speaker key={user.id} user={user} disabled={disabled} isMeant={isMeant} onAct={onAct} />
          ))}
          {speaking.length > SHOWN ? <li className={classes.more}>and {speaking.length - SHOWN} more</li> : null}
        </ul>
      )}
    </Paper>
  )
})

type SpeakerProps = Pick<ActiveUsersProps, 'disabled' | 'onAct'> & {
  user: RoomUser
  isMeant: ClickGuard
}

const Speaker = memo(function Speaker({ user, disabled, isMeant, onAct }: SpeakerProps) {
  return (
    <li className={classes.speaker}>
      <IconVolume size={17} stroke={1.9} aria-hidden="true" />
      <span className={classes.name}>{user.username}</span>
      {user.asleep ? <IconDeviceMobileOff size={16} stroke={1.9} role="img" aria-label={NOT_ANSWERING} /> : null}
      <IconButton
        className={classes.mute}
        label={`Mute ${user.username}`}
        disabled={disabled}
        onClick={(event) => {
          if (isMeant(user.id, event)) void onAct(user, 'mute')
        }}
      >
        <IconMicrophoneOff size={16} aria-hidden="true" />
      </IconButton>
    </li>
  )
})
