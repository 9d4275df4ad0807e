import { IconHandOff, IconHandStop, IconPlayerTrackNext } from '@tabler/icons-react'
import { createContext, memo, type ReactNode, use, useMemo } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import type { Act } from '../controls/participant-actions.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { useRoom, usersOf } from '../live-room/use-room.ts'
import { NOT_ANSWERING } from '../tiles/tile-state.ts'
import { useClickGuard } from '../tiles/use-click-guard.ts'
import { useTime } from '../use-time.ts'
import classes from './HandQueue.module.css'
import { handQueue, waitingTime } from './hand-queue.ts'

/** Whoever stands further back is not about to be called; the number says how many there are. */
const SHOWN = 50
const SECOND_MS = 1000

/** The server's time now, which is all of a hand that changes from second to second. */
const ServerTime = createContext(0)

type HandQueueProps = {
  store: LiveRoomStore
  disabled: boolean
  busyIds: ReadonlySet<string>
  onAllow: (user: RoomUser) => void
  onNext: () => void
  onAct: Act
  /** A line at the foot. */
  children: ReactNode
}

/** Who asks to speak, in the order of asking. Keeps its size, so that nothing beside it moves when a hand goes up. */
export const HandQueue = memo(function HandQueue(props: HandQueueProps) {
  const { store, disabled, busyIds, onAllow, onNext, onAct, children } = props
  const users = useRoom(store, usersOf)
  const serverAhead = useRoom(store, serverAheadOf) // hands go up by the server's clock
  const queue = useMemo(() => handQueue(users), [users])
  const ids = useMemo(() => queue.map(({ id }) => id), [queue])
  const mayClick = useClickGuard(ids)
  const now = useTime(queue.length > 0 ? SECOND_MS : null)
  const time = serverAhead === null ? Date.now() : now + serverAhead

  return (
    <section className={classes.queue} aria-labelledby="hand-queue">
      <div className={classes.head}>
        <h2 id="hand-queue" className={classes.title}>
          Asking to speak
          {queue.length > 0 ? <span className={classes.count}>{queue.length}</span> : null}
        </h2>
        <Button
          className={classes.small}
          variant="default"
          icon={<IconPlayerTrackNext size={15} aria-hidden="true" />}
          title="Mutes the one you let speak before, and lets the first in the queue speak"
          disabled={disabled || queue.length === 0}
          onClick={onNext}
        >
          Next
        </Button>
      </div>
      {queue.length === 0 ? (
        <p className={classes.nobody}>
          <IconHandStop size={18} stroke={1.75} aria-hidden="true" />
          Nobody is asking to speak
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
                  mayClick={mayClick}
                  onAllow={onAllow}
                  onAct={onAct}
                />
              </li>
            ))}
            {queue.length > SHOWN ? <li className={classes.more}>and {queue.length - SHOWN} more</li> : null}
          </ol>
        </ServerTime>
      )}
      {children}
    </section>
  )
})

const serverAheadOf = (room: LiveRoom) => room.serverAhead

type HandProps = Pick<HandQueueProps, 'disabled' | 'onAllow' | 'onAct'> & {
  user: RoomUser
  mayClick: (id: string) => boolean
}

/** Knows nothing of its place: when the first one goes, no other hand is drawn anew. */
const Hand = memo(function Hand({ user, disabled, mayClick, onAllow, onAct }: HandProps) {
  const { username } = user
  return (
    <>
      <span className={classes.words}>
        <span className={classes.name} title={username}>
          {username}
        </span>
        <span className={classes.waited}>
          {user.asleep ? `${NOT_ANSWERING.toLowerCase()}, ` : 'waits '}
          <Waited since={user.wants_to_speak_at} />
        </span>
      </span>
      <Button
        className={classes.small}
        variant="default"
        aria-label={`Allow ${username}`}
        disabled={disabled}
        onClick={({ detail }) => (detail === 0 || mayClick(user.id)) && onAllow(user)}
      >
        Allow
      </Button>
      <IconButton
        className={classes.lower}
        label={`Lower the hand of ${username}`}
        disabled={disabled}
        onClick={({ detail }) => (detail === 0 || mayClick(user.id)) && void onAct(user, 'lower-hand')}
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
