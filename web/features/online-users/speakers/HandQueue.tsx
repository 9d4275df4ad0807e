import { Box, Paper, Text } from '@mantine/core'
import { IconHandOff, IconHandStop, IconPlayerTrackNext } from '@tabler/icons-react'
import { createContext, memo, type ReactNode, use, useMemo } from 'react'
import { useStore } from 'zustand'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button, IconButton } from '../../../ui/light/Button.tsx'
import type { Act } from '../controls/participant-actions.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'
import { NOT_ANSWERING } from '../tiles/tile-state.ts'
import { type ClickGuard, useClickGuard } from '../tiles/use-click-guard.ts'
import { handQueue, waitingTime } from './hand-queue.ts'
import classes from './speakers.module.css'

/** The count covers the rest of the queue. */
const SHOWN = 50
const SECOND_MS = 1000

/** The server's time; as a context it renders the waiting times alone each second, not the whole queue. */
const ServerTime = createContext(0)

type HandQueueProps = {
  store: LiveRoomStore
  disabled: boolean
  busyIds: ReadonlySet<string>
  onAllow: (user: RoomUser) => void
  onNext: () => void
  onAct: Act
  footer: ReactNode
}

/** Has a constant size, so that nothing beside it moves when a hand goes up. */
export const HandQueue = memo(function HandQueue(props: HandQueueProps) {
  const { store, disabled, busyIds, onAllow, onNext, onAct, footer } = props
  const users = useStore(store, usersOf)
  const clockOffset = useStore(store, clockOffsetOf) // hands are timed by the server's clock
  const queue = useMemo(() => handQueue(users), [users])
  const ids = useMemo(() => queue.map(({ id }) => id), [queue])
  const isMeant = useClickGuard(ids)
  const now = useNow(queue.length > 0 ? SECOND_MS : null)
  const time = clockOffset === null ? Date.now() : now + clockOffset

  return (
    <Paper component="section" className={classes.queue} aria-labelledby="hand-queue">
      <div className={classes.head}>
        <h2 id="hand-queue" className={classes.title}>
          Asking to speak
          {queue.length > 0 ? <span className={classes.count}>{queue.length}</span> : null}
        </h2>
        <Button
          className={classes.small}
          variant="default"
          icon={<IconPlayerTrackNext size={15} aria-hidden="true" />}
          title="Mutes the previous speaker and lets the first in the queue speak"
          disabled={disabled || queue.length === 0}
          onClick={onNext}
        >
          Next
        </Button>
      </div>
      {queue.length === 0 ? (
        <p className={classes.empty}>
          <IconHandStop size={18} stroke={1.75} aria-hidden="true" />
          No one is asking to speak
        </p>
      ) : (
        <ServerTime value={time}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard */}
          <ol className={classes.list} tabIndex={0} aria-label="In the order of asking">
            {queue.slice(0, SHOWN).map((user, index) => (
              <li key={user.id} className={classes.hand} data-queued-id={user.id}>
                <span className={classes.place}>{index + 1}</span>
                <Hand
                  user={user}
                  disabled={disabled || busyIds.has(user.id)}
                  isMeant={isMeant}
                  onAllow={onAllow}
                  onAct={onAct}
                />
              </li>
            ))}
            {queue.length > SHOWN ? <li className={classes.more}>and {queue.length - SHOWN} more</li> : null}
          </ol>
        </ServerTime>
      )}
      {footer}
    </Paper>
  )
})

const clockOffsetOf = (room: LiveRoom) => room.clockOffset

type HandProps = Pick<HandQueueProps, 'disabled' | 'onAllow' | 'onAct'> & {
  user: RoomUser
  isMeant: ClickGuard
}

/** Does not take its index as a prop, so that the others are not rendered again when the first one leaves. */
const Hand = memo(function Hand({ user, disabled, isMeant, onAllow, onAct }: HandProps) {
  const { username } = user
  return (
    <>
      <Box component="span" flex={1} miw={0}>
        <span className={classes.name} title={username}>
          {username}
        </span>
        <Text component="span" display="block" fz={12} c="dimmed">
          {user.asleep ? `${NOT_ANSWERING.toLowerCase()}, ` : 'waiting '}
          <Waited since={user.wants_to_speak_at} />
        </Text>
      </Box>
      <Button
        className={classes.small}
        variant="default"
        aria-label={`Allow ${username}`}
        disabled={disabled}
        onClick={(event) => isMeant(user.id, event) && onAllow(user)}
      >
        Allow
      </Button>
      <IconButton
        className={classes.lower}
        label={`Lower the hand of ${username}`}
        disabled={disabled}
        onClick={(event) => isMeant(user.id, event) && void onAct(user, 'lower-hand')}
      >
        <IconHandOff size={17} stroke={1.75} aria-hidden="true" />
      </IconButton>
    </>
  )
})

function Waited({ since }: { since: string | null }) {
  const time = use(ServerTime)
  return since === null ? null : waitingTime(time - Date.parse(since))
}
