import { Group } from '@mantine/core'
import { IconHandStop, IconPlayerTrackNext } from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import { useStore } from 'zustand'
import { ButtonPopover } from '../../../ui/ButtonPopover.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import type { LiveRoomState } from '../live-room/live-room.ts'
import { type LiveRoomStore, queueOrderOf, usersOf } from '../live-room/live-room-store.ts'
import { Elapsed } from '../live-room/ServerTime.tsx'
import { useGuests } from '../live-room/use-guests.ts'
import { HandQueue, type HandQueueProps } from './HandQueue.tsx'
import { handQueue } from './hand-queue.ts'
import classes from './speakers.module.css'

type NextButtonProps = {
  store: LiveRoomStore
  disabled: boolean
  /** The turn before is under way, and the room does not show it yet. */
  busy: boolean
  className?: string | undefined
  onNext: (detail?: number) => void
}

const firstInQueue = (room: LiveRoomState) => handQueue(room)[0]?.id

export const NextButton = memo(function NextButton({ store, disabled, busy, className, onNext }: NextButtonProps) {
  const first = useStore(store, firstInQueue)
  return (
    <Button
      className={className ?? classes.small}
      icon={IconPlayerTrackNext}
      title="Mutes the previous speaker and lets the first in the queue speak"
      disabled={disabled || first === undefined}
      busy={busy}
      onClick={({ detail }) => onNext(detail)}
    >
      Next
    </Button>
  )
})

type QueueOpenerProps = HandQueueProps & { className?: string | undefined; isPhone: boolean }

/** Shows the first in the queue, and opens the whole queue if it does not stand beside the tiles. */
export function QueueOpener({ className, isPhone, ...queue }: QueueOpenerProps) {
  const users = useStore(queue.store, usersOf)
  const queueOrder = useStore(queue.store, queueOrderOf)
  const hands = useMemo(() => handQueue({ users, queueOrder }), [users, queueOrder])
  const [first] = hands
  const { hands: guestHands } = useGuests(queue.store)
  const [firstGuest] = guestHands
  return (
    <ButtonPopover
      label="Queue"
      className={classes.queueDropdown}
      position={isPhone ? 'top' : 'bottom-end'}
      width={isPhone ? 'calc(100vw - 1.5rem)' : 360}
      button={(toggle) => (
        <button type="button" className={className ?? classes.opener} onClick={toggle}>
          <span className="unseen">Raised hands: </span>
          <Group component="span" gap={4} wrap="nowrap" flex="none" fw={650}>
            <IconHandStop size={17} stroke={1.9} aria-hidden="true" />
            {hands.length + guestHands.length}
          </Group>
          {first && !isPhone ? (
            <>
              <PersonText text={first.username} className={classes.name} />
              <Elapsed since={first.wants_to_speak_at} />
            </>
          ) : firstGuest && !isPhone ? (
            <>
              <PersonText text={firstGuest.name} className={classes.name} />
              <span>in Zoom</span>
            </>
          ) : (
            <span>{isPhone ? 'Hands' : 'No one wants to speak'}</span>
          )}
        </button>
      )}
    >
      <HandQueue {...queue} />
    </ButtonPopover>
  )
}
