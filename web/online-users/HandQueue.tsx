import { ActionIcon, Button } from '@mantine/core'
import { IconHandOff, IconHandStop, IconPlayerTrackNext } from '@tabler/icons-react'
import { memo, type ReactNode, useMemo } from 'react'
import type { RoomUser } from '../../shared/room-users.ts'
import classes from './HandQueue.module.css'
import { handQueue, waitingTime } from './hand-queue.ts'
import type { Act } from './use-act-on-participant.ts'
import { useMoves } from './use-moves.ts'
import { useTime } from './use-time.ts'

/** Whoever stands further back is not about to be called; the number says how many there are. */
const SHOWN = 50
const SECOND_MS = 1000

type HandQueueProps = {
  users: readonly RoomUser[]
  /** What to add to the page's own clock for the server's, by which hands go up; null: not known yet. */
  serverAhead: number | null
  disabled: boolean
  busyIds: ReadonlySet<string>
  onAllow: (user: RoomUser) => void
  onNext: () => void
  onAct: Act
  /** A line at the foot. */
  children: ReactNode
}

/** Who asks to speak, in the order of asking. Keeps its size, so that nothing beside it moves when a hand goes up. */
export function HandQueue(props: HandQueueProps) {
  const { users, serverAhead, disabled, busyIds, onAllow, onNext, onAct, children } = props
  const queue = useMemo(() => handQueue(users), [users])
  const ids = useMemo(() => queue.map(({ id }) => id), [queue])
  const mayClick = useMoves(ids)
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
          size="xs"
          variant="default"
          leftSection={<IconPlayerTrackNext size={15} aria-hidden="true" />}
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
        <ol className={classes.list} tabIndex={0} aria-label="In the order of asking">
          {queue.slice(0, SHOWN).map((user, index) => (
            <Hand
              key={user.id}
              user={user}
              place={index + 1}
              waited={user.wants_to_speak_at ? waitingTime(time - Date.parse(user.wants_to_speak_at)) : ''}
              disabled={disabled || busyIds.has(user.id)}
              mayClick={mayClick}
              onAllow={onAllow}
              onAct={onAct}
            />
          ))}
          {queue.length > SHOWN ? <li className={classes.more}>and {queue.length - SHOWN} more</li> : null}
        </ol>
      )}
      {children}
    </section>
  )
}

type HandProps = Pick<HandQueueProps, 'disabled' | 'onAllow' | 'onAct'> & {
  user: RoomUser
  place: number
  waited: string
  mayClick: (id: string) => boolean
}

const Hand = memo(function Hand({ user, place, waited, disabled, mayClick, onAllow, onAct }: HandProps) {
  const { username } = user
  return (
    <li className={classes.hand} data-queued-id={user.id}>
      <span className={classes.place}>{place}</span>
      <span className={classes.words}>
        <span className={classes.name} title={username}>
          {username}
        </span>
        <span className={classes.waited}>{waited ? `waits ${waited}` : 'waits'}</span>
      </span>
      <Button
        className={classes.allow}
        size="xs"
        variant="default"
        aria-label={`Allow ${username}`}
        disabled={disabled}
        onClick={({ detail }) => (detail === 0 || mayClick(user.id)) && onAllow(user)}
      >
        Allow
      </Button>
      <ActionIcon
        className={classes.lower}
        size={30}
        aria-label={`Lower the hand of ${username}`}
        title="Lower"
        disabled={disabled}
        onClick={({ detail }) => (detail === 0 || mayClick(user.id)) && void onAct(user, 'lower-hand')}
      >
        <IconHandOff size={17} stroke={1.75} aria-hidden="true" />
      </ActionIcon>
    </li>
  )
})
