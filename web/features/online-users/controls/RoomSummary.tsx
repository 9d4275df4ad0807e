import { Badge, Flex, Group, Paper } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconDeviceMobileOff,
  IconHandClick,
  IconHandStop,
  IconHeadphones,
  IconHourglassHigh,
  IconMicrophoneOff,
  IconVolume,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { Room } from '../../../../shared/rooms.ts'
import { useNow } from '../../../lib/use-now.ts'
import { MeetingControl } from '../../../widgets/meeting/MeetingControl.tsx'
import { RecordingControl } from '../../../widgets/meeting/RecordingControl.tsx'
import { isMuteAllOn, type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'
import type { Connection } from '../live-room/use-live-room.ts'
import { NOT_ANSWERING } from '../tiles/tile-state.ts'
import classes from './controls.module.css'
import { type Delivery, deliveryStatus } from './delivery.ts'

type RoomSummaryProps = {
  store: LiveRoomStore
  connection: Connection
  isStreaming: boolean
  zoomRoom: Room | undefined
  delivery: Delivery | null
  undo: ReactNode
}

export function RoomSummary(props: RoomSummaryProps) {
  const { store, connection, isStreaming, zoomRoom, delivery, undo } = props
  const users = useStore(store, usersOf)
  const hostMuteAll = useStore(store, isMuteAllOn)
  const { speaking, asking, muted, inMeeting, asleep } = countsOf(users)

  return (
    <Paper component="section" style={{ overflow: 'hidden' }} aria-label="The room now">
      <Group className={classes.top} justify="space-between" gap="sm">
        <dl className={classes.numbers}>
          <div>
            <dt>Currently Online</dt>
            <dd>{users.length}</dd>
          </div>
          <Count icon={<IconVolume size={17} aria-hidden="true" />} word="Speaking" of={speaking} />
          <Count icon={<IconHandStop size={17} aria-hidden="true" />} word="Want to speak" of={asking} />
          <Count icon={<IconMicrophoneOff size={17} aria-hidden="true" />} word="Muted" of={muted} />
          {zoomRoom?.zoom_meeting_id ? (
            <Count icon={<IconHeadphones size={17} aria-hidden="true" />} word="In the meeting" of={inMeeting} />
          ) : null}
          <Count icon={<IconDeviceMobileOff size={17} aria-hidden="true" />} word={NOT_ANSWERING} of={asleep} />
        </dl>
        {/* Two lines of their own, so that a mark that comes or goes moves nothing. */}
        <Flex
          direction="column"
          gap="xs"
          align={{ base: 'stretch', sm: 'flex-end' }}
          flex={{ base: '1 1 100%', sm: 'none' }}
        >
          <div className={classes.marks}>
            {hostMuteAll ? (
              <Badge color="warn" leftSection={<IconMicrophoneOff size={13} stroke={2.2} />}>
                Mute All is on
              </Badge>
            ) : null}
            <LiveMark connection={connection} isStreaming={isStreaming} />
          </div>
          {zoomRoom ? (
            <>
              <MeetingControl room={zoomRoom} disabled={connection !== 'live'} />
              <RecordingControl room={zoomRoom} disabled={connection !== 'live'} withStart={false} />
            </>
          ) : null}
        </Flex>
      </Group>
      <StatusLine connection={connection} delivery={delivery} undo={undo} />
    </Paper>
  )
}

function countsOf(users: readonly RoomUser[]) {
  const counts = { speaking: 0, asking: 0, muted: 0, inMeeting: 0, asleep: 0 }
  for (const user of users) {
    if (user.is_speaking) counts.speaking++
    if (user.wants_to_speak) counts.asking++
    if (user.is_muted) counts.muted++
    if (user.in_meeting) counts.inMeeting++
    if (user.asleep) counts.asleep++
  }
  return counts
}

function Count({ icon, word, of }: { icon: ReactNode; word: string; of: number }) {
  return (
    <div>
      <dt>
        {icon}
        {word}
      </dt>
      <dd>{of}</dd>
    </div>
  )
}

function LiveMark({ connection, isStreaming }: { connection: Connection; isStreaming: boolean }) {
  if (connection === 'stale') return <Badge color="bad">Not live</Badge>
  if (connection === 'reconnecting' || !isStreaming) {
    return (
      <Badge color="warn" title="Changes may show half a second late">
        Connecting…
      </Badge>
    )
  }
  return <Badge color="good">Live</Badge>
}

type StatusLineProps = Pick<RoomSummaryProps, 'connection' | 'delivery' | 'undo'>

/** One line of constant height: that the page is out of date, else the progress of the last command, else a hint. */
function StatusLine({ connection, delivery, undo }: StatusLineProps) {
  const now = useNow(delivery === null ? null : 500)
  const status = delivery && deliveryStatus(delivery, now)

  if (connection === 'stale') {
    return (
      <div className={classes.news} data-tone="bad">
        <IconAlertTriangle size={17} aria-hidden="true" />
        <span role="alert">
          Connection lost. What you see may be out of date, so the controls are off until it returns.
        </span>
      </div>
    )
  }
  const Icon = status ? (status.settled ? IconCircleCheck : IconHourglassHigh) : IconHandClick
  return (
    <div className={classes.news} data-tone={status ? (status.settled ? 'good' : 'warn') : undefined}>
      <Icon size={17} aria-hidden="true" />
      {status?.settled ? null : <span>{status ? status.text : 'Click a muted tile to let that person speak.'}</span>}
      {/* Only the outcome is announced: the numbers on the way there change twice a second. */}
      <span role="status">{status?.settled ? status.text : ''}</span>
      {undo}
    </div>
  )
}
