import { IconHandStop, IconHeadphones, IconMicrophoneOff, IconVolume } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { RoomUser } from '../../shared/room-users.ts'
import type { Room } from '../../shared/rooms.ts'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import type { Connection } from './connection.ts'
import { RecordingControl } from './RecordingControl.tsx'
import classes from './RoomSummary.module.css'

type RoomSummaryProps = {
  users: readonly RoomUser[]
  hostMuteAll: boolean
  connection: Connection
  isStreaming: boolean
  /** What Zoom last said of the room's meeting. */
  zoomRoom: Room | undefined
  /** The line below the numbers. */
  children: ReactNode
}

export function RoomSummary(props: RoomSummaryProps) {
  const { users, hostMuteAll, connection, isStreaming, zoomRoom, children } = props
  const count = (is: (user: RoomUser) => boolean) => users.filter(is).length

  return (
    <section className={classes.summary} aria-label="The room now">
      <div className={classes.top}>
        <dl className={classes.numbers}>
          <div className={classes.online}>
            <dt>Currently Online</dt>
            <dd>{users.length}</dd>
          </div>
          <Count
            icon={<IconVolume size={17} aria-hidden="true" />}
            word="Speaking"
            of={count((one) => one.is_speaking)}
          />
          <Count
            icon={<IconHandStop size={17} aria-hidden="true" />}
            word="Want to speak"
            of={count((one) => one.wants_to_speak)}
          />
          <Count
            icon={<IconMicrophoneOff size={17} aria-hidden="true" />}
            word="Muted"
            of={count((one) => one.is_muted)}
          />
          {zoomRoom?.zoom_meeting_id ? (
            <Count
              icon={<IconHeadphones size={17} aria-hidden="true" />}
              word="In the meeting"
              of={count((one) => one.in_meeting === true)}
            />
          ) : null}
        </dl>
        <div className={classes.state}>
          <div className={classes.marks}>
            {hostMuteAll ? (
              <StatusBadge tone="warn" icon={<IconMicrophoneOff size={13} stroke={2.2} />}>
                Mute All is on
              </StatusBadge>
            ) : null}
            <LiveMark connection={connection} isStreaming={isStreaming} />
          </div>
          {zoomRoom ? <RecordingControl room={zoomRoom} disabled={connection !== 'live'} /> : null}
        </div>
      </div>
      {children}
    </section>
  )
}

function Count({ icon, word, of }: { icon: ReactNode; word: string; of: number }) {
  return (
    <div className={classes.count}>
      <dt>
        {icon}
        {word}
      </dt>
      <dd>{of}</dd>
    </div>
  )
}

function LiveMark({ connection, isStreaming }: { connection: Connection; isStreaming: boolean }) {
  if (connection === 'stale') return <StatusBadge tone="bad">Not live</StatusBadge>
  if (connection === 'reconnecting' || !isStreaming) {
    return (
      <StatusBadge tone="warn" title="Changes may show half a second late">
        Connecting…
      </StatusBadge>
    )
  }
  return <StatusBadge tone="good">Live</StatusBadge>
}
