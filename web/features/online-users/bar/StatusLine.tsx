import { Group } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconHandClick, IconHourglassHigh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useNow } from '../../../lib/use-now.ts'
import { type DeliveryProgress, deliveryStatus } from '../controls/delivery.ts'
import type { LiveRoomState } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import type { ConnectionState } from '../live-room/use-live-room.ts'
import classes from './bar.module.css'
import { MuteAllBadge } from './MuteAllBadge.tsx'
import { MuteAllBy, useMuteAllBy } from './MuteAllBy.tsx'
import { useIsPhone } from './screen-width.ts'

type StatusLineProps = {
  store: LiveRoomStore
  connection: ConnectionState
  delivery: DeliveryProgress | null
  /** True while the room's Zoom meeting runs. */
  isLive: boolean
  undo: ReactNode
}

/** A line of constant height: a lost connection, else the progress of the last command, else a hint. */
export function StatusLine({ store, connection, delivery, isLive, undo }: StatusLineProps) {
  const now = useNow(delivery === null ? null : 500)
  const status = delivery && deliveryStatus(delivery, now)
  const isAnyoneMuted = useStore(store, hasMuted)
  const isPhone = useIsPhone()
  const isPressedByOther = useMuteAllBy(store) !== null && !isPhone
  const isAwaited = useStore(store, hasWaiting) && isLive

  const flag = <MuteAllBadge store={store} />
  if (connection === 'stale') {
    return (
      <Group className={classes.news} gap={8} wrap="nowrap" mih="2rem" fw={600} data-tone="bad">
        {flag}
        <IconAlertTriangle size={17} aria-hidden="true" />
        <span role="alert">
          Connection lost. What you see may be out of date, so the controls are off until it returns.
        </span>
      </Group>
    )
  }
  const Icon = status?.settled ? IconCircleCheck : IconHourglassHigh
  return (
    <Group
      className={classes.news}
      gap={8}
      wrap="nowrap"
      mih="2rem"
      data-tone={status ? (status.settled ? 'good' : 'warn') : undefined}
    >
      {flag}
      {status ? <Icon size={17} aria-hidden="true" /> : null}
      {status && !status.settled ? <span>{status.text}</span> : null}
      {/* Only the outcome is announced, since the numbers before it change twice a second. */}
      <span role="status">{status?.settled ? status.text : ''}</span>
      {!status && isAwaited ? (
        <span>Phones wait for you: press Open in Zoom, even if you are in the meeting already.</span>
      ) : null}
      {!status && !isAwaited && isPressedByOther ? <MuteAllBy store={store} /> : null}
      {!status && !isAwaited && !isPressedByOther && isAnyoneMuted ? (
        <Group component="span" className={classes.tip} gap={8} wrap="nowrap" style={{ whiteSpace: 'nowrap' }}>
          <IconHandClick size={17} aria-hidden="true" />
          Click a muted user to let that user speak.
        </Group>
      ) : null}
      {undo}
    </Group>
  )
}

const hasWaiting = ({ users }: LiveRoomState) => users.some(({ audio }) => audio === 'waiting')
const hasMuted = ({ users }: LiveRoomState) => users.some((user) => user.is_muted)
