import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Room } from '../../../../shared/rooms.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import type { ConnectionState } from '../live-room/use-live-room.ts'
import classes from './bar.module.css'
import { CountFilters, type CountFiltersProps } from './CountFilters.tsx'
import { LiveMark } from './LiveMark.tsx'
import { MeetingPopover } from './MeetingPopover.tsx'
import { OnlineCount } from './OnlineCount.tsx'
import { RoomPopover } from './RoomPopover.tsx'
import { SeatMark } from './SeatMark.tsx'
import { useBarHeight } from './use-bar-height.ts'
import { ZoomOnlyCount } from './ZoomOnlyCount.tsx'

type RoomBarProps = CountFiltersProps & {
  store: LiveRoomStore
  connection: ConnectionState
  isStreaming: boolean
  /** True if the queue does not fit beside the tiles, nor the bar in three lines. */
  isNarrow: boolean
  isPhone: boolean
  room: Room | undefined
  muteButtons: ReactNode
  speakers: ReactNode
  /** Opens the queue if it does not stand beside the tiles. */
  queue: ReactNode
  status: ReactNode
  meeting: ReactNode
  recording: ReactNode
  /** The button that ends the meeting, if it is not among the meeting's controls. */
  end: ReactNode
}

/** Never scrolls away: above the tiles on a wide screen, under the thumb on a phone. */
export function RoomBar(props: RoomBarProps) {
  const {
    store,
    connection,
    isStreaming,
    isNarrow,
    isPhone,
    room,
    muteButtons,
    speakers,
    queue,
    status,
    meeting,
    recording,
    end,
    ...filters
  } = props
  const ref = useBarHeight()
  const live = <LiveMark connection={connection} isStreaming={isStreaming} />

  if (isPhone) {
    return (
      <section ref={ref} className={classes.bar} aria-label="The room now">
        <div className={classes.status}>{status}</div>
        {speakers}
        <div className={classes.thumb}>
          <RoomPopover
            store={store}
            live={live}
            meeting={
              <>
                <SeatMark />
                {meeting}
                {recording}
              </>
            }
            filters={{ store, ...filters }}
          />
          {queue}
          {muteButtons}
        </div>
      </section>
    )
  }
  const mute = (
    <Group gap="xs" wrap="nowrap" flex="none">
      {muteButtons}
    </Group>
  )
  return (
    <section ref={ref} className={classes.bar} aria-label="The room now">
      <div className={classes.row}>
        <OnlineCount store={store} />
        <ZoomOnlyCount store={store} />
        <CountFilters store={store} {...filters} />
        {isNarrow ? live : mute}
      </div>
      <div className={classes.row}>{speakers}</div>
      {isNarrow ? (
        <div className={classes.row}>
          {mute}
          {queue}
        </div>
      ) : null}
      <div className={classes.row}>
        {isNarrow ? null : live}
        <SeatMark />
        <div className={classes.status}>{status}</div>
        {room?.is_live ? (
          <Group gap={6} wrap="nowrap" flex="none">
            <MeetingPopover room={room}>
              {meeting}
              {recording}
            </MeetingPopover>
            {end}
          </Group>
        ) : (
          meeting
        )}
      </div>
    </section>
  )
}
