import { VisuallyHidden } from '@mantine/core'
import { useStore } from 'zustand'
import { LAST_SECONDS, stateOfTurn } from '../../../../shared/turns.ts'
import { formatClock } from '../../../lib/format-clock.ts'
import { floorSinceOf, floorUserOf, type LiveRoomStore, turnLimitOf } from '../live-room/live-room-store.ts'
import { useSecondsSince } from '../live-room/ServerTime.tsx'
import classes from './turns.module.css'

type TurnProps = { store: LiveRoomStore }

/** Shows how long the user who has the floor has had it, and for how long at most. */
export function TurnClock({ store }: TurnProps) {
  const since = useStore(store, floorSinceOf)
  const { minutes } = useStore(store, turnLimitOf)
  const seconds = useSecondsSince(since)
  if (since === null) return null
  return (
    <span
      className={classes.clock}
      data-state={stateOfTurn(seconds, minutes)}
      title="Time since this user got the floor"
    >
      <span className="unseen">has the floor for </span>
      {formatClock(seconds)}
      {minutes === null ? null : (
        <>
          <span className="unseen"> of </span>
          <span aria-hidden="true"> / </span>
          {formatClock(minutes * 60)}
        </>
      )}
    </span>
  )
}

/** Tells screen readers when a turn is about to end, and when it is over. */
export function TurnAnnouncer({ store }: TurnProps) {
  const user = useStore(store, floorUserOf)
  const since = useStore(store, floorSinceOf)
  const { minutes } = useStore(store, turnLimitOf)
  const state = stateOfTurn(useSecondsSince(since), minutes)
  return (
    <VisuallyHidden role="status">
      {user && since !== null && state === 'ending' ? `${user.username} has ${LAST_SECONDS} seconds left.` : null}
      {user && since !== null && state === 'over' ? `The turn of ${user.username} is over.` : null}
    </VisuallyHidden>
  )
}
