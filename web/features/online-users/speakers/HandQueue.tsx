import { Box, Group, Paper, Text } from '@mantine/core'
import { IconHandOff, IconHandStop } from '@tabler/icons-react'
import { memo, type ReactNode, useMemo } from 'react'
import { useStore } from 'zustand'
import type { QueueOrder } from '../../../../shared/queue-order.ts'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { Button, IconButton } from '../../../ui/base/Button.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { type ClickGuard, useClickGuard } from '../../../ui/use-click-guard.ts'
import { spokenMinutes } from '../../../widgets/room-user/spoken-words.ts'
import { useSeat } from '../../../widgets/seat/seat-context.ts'
import type { Act } from '../controls/participant-actions.ts'
import { type LiveRoomStore, queueOrderOf, usersOf } from '../live-room/live-room-store.ts'
import { Elapsed } from '../live-room/ServerTime.tsx'
import { useGuests } from '../live-room/use-guests.ts'
import { NOT_ANSWERING } from '../tiles/tile-state.ts'
import { GuestHands } from './GuestHands.tsx'
import { HandChimeSetting } from './HandChime.tsx'
import { handQueue } from './hand-queue.ts'
import { QueueOrderLine } from './QueueOrderLine.tsx'
import classes from './speakers.module.css'
import { TurnLimitLine } from './TurnLimitLine.tsx'

/** The heading's count covers the rest of the queue. */
const SHOWN = 50

export type HandQueueProps = {
  store: LiveRoomStore
  disabled: boolean
  busyIds: ReadonlySet<string>
  onAllow: (user: RoomUser) => void
  onAct: Act
  /** The button that lets the first in the queue speak. */
  next: ReactNode
  footer: ReactNode
}

/** Lists the raised hands; grows with them up to the height of the screen. */
export const HandQueue = memo(function HandQueue(props: HandQueueProps) {
  const { store, disabled, busyIds, onAllow, onAct, next, footer } = props
  const users = useStore(store, usersOf)
  const queueOrder = useStore(store, queueOrderOf)
  const queue = useMemo(() => handQueue({ users, queueOrder }), [users, queueOrder])
  const seat = useSeat()
  const { hands, canAct } = useGuests(store)
  const ids = useMemo(() => [...queue.map(({ id }) => id), ...hands.map(({ key }) => key)], [queue, hands])
  const count = queue.length + hands.length
  const isMeant = useClickGuard(ids)

  return (
    <Paper component="section" className={classes.queue} aria-labelledby="hand-queue">
      <Group justify="space-between" gap="sm" wrap="nowrap" flex="none" mih="3.25rem" pl={18} pr={14}>
        <h2 id="hand-queue" className={classes.title}>
          Raised hands
          {count > 0 ? (
            <Box component="span" className="chip" bg="var(--bad-soft)" c="var(--bad)">
              {count}
            </Box>
          ) : null}
        </h2>
        {next}
      </Group>
      {count === 0 ? (
        <Group component="p" gap={8} wrap="nowrap" m={0} px={18} pb={16} fz="sm" c="dimmed">
          <IconHandStop size={18} stroke={1.75} aria-hidden="true" />
          No one wants to speak
        </Group>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard
        <ol className="scroll-list" tabIndex={0} aria-label="Raised hands, in order">
          {queue.slice(0, SHOWN).map((user, index) => (
            <li key={user.id} className={classes.hand} data-queued-id={user.id}>
              <span className={`chip ${classes.place}`}>{index + 1}</span>
              <Hand
                user={user}
                order={queueOrder}
                disabled={disabled || busyIds.has(user.id)}
                isMeant={isMeant}
                onAllow={onAllow}
                onAct={onAct}
              />
            </li>
          ))}
          {queue.length > SHOWN ? (
            <Box component="li" px={18} py={10} fz="sm" c="dimmed">
              and {queue.length - SHOWN} more
            </Box>
          ) : null}
          {seat ? (
            <GuestHands
              seat={seat.store}
              hands={hands.slice(0, SHOWN)}
              disabled={disabled || !canAct}
              isMeant={isMeant}
            />
          ) : null}
        </ol>
      )}
      <QueueOrderLine store={store} disabled={disabled} />
      <TurnLimitLine store={store} disabled={disabled} />
      <HandChimeSetting />
      {footer}
    </Paper>
  )
})

type HandProps = Pick<HandQueueProps, 'disabled' | 'onAllow' | 'onAct'> & {
  user: RoomUser
  order: QueueOrder
  isMeant: ClickGuard
}

/** Does not take its index as a prop, so that the others do not render again when the first one leaves. */
const Hand = memo(function Hand({ user, order, disabled, isMeant, onAllow, onAct }: HandProps) {
  const { username } = user
  return (
    <>
      <Box component="span" flex={1} miw={0}>
        <PersonText text={username} className={`two-lines ${classes.name}`} wraps />
        <Text component="span" display="block" fz={12} c="dimmed">
          {user.asleep ? `${NOT_ANSWERING.toLowerCase()}, ` : 'waiting '}
          <Elapsed since={user.wants_to_speak_at} />
          {hadWords(user, order)}
        </Text>
      </Box>
      <Button
        className={classes.small}
        aria-label={`Allow ${username}`}
        off={disabled}
        onClick={(event) => isMeant(user.id, event) && onAllow(user)}
      >
        Allow
      </Button>
      <IconButton
        className={classes.lower}
        label={`Lower the hand of ${username}`}
        off={disabled}
        onClick={(event) => isMeant(user.id, event) && void onAct(user, 'lower-hand')}
      >
        <IconHandOff size={17} stroke={1.75} aria-hidden="true" />
      </IconButton>
    </>
  )
})

/** Says why the hand is at its place, where that is not how long it has been up. */
function hadWords({ spoken_ms, turns_taken }: RoomUser, order: QueueOrder): string {
  if (order === 'first_come') return ''
  if (order === 'least_spoken')
    return `, ${spokenMinutes(spoken_ms) ? `spoke ${spokenMinutes(spoken_ms)}` : 'not heard yet'}`
  if (turns_taken === 0) return ', no turn yet'
  return `, ${turns_taken} ${turns_taken === 1 ? 'turn' : 'turns'}`
}
