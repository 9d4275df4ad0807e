import { Button } from '@mantine/core'
import { IconChevronDown, IconPlayerPauseFilled, IconPlayerRecordFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Room } from '../../../../shared/rooms.ts'
import { ButtonPopover } from '../../../ui/ButtonPopover.tsx'
import { MeetingClock } from '../../../widgets/meeting/MeetingClock.tsx'
import classes from './bar.module.css'

/** Shows the state of the meeting with its clock, and opens its controls. */
export function MeetingPopover({ room, children }: { room: Room; children: ReactNode }) {
  return (
    <ButtonPopover
      label="Meeting"
      className={classes.sheet}
      position="bottom-end"
      button={(toggle) => (
        <Button
          variant="default"
          size="xs"
          rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          onClick={toggle}
        >
          <MeetingWords room={room} />
        </Button>
      )}
    >
      {children}
    </ButtonPopover>
  )
}

function MeetingWords({ room: { live_since, recording, recording_since, recorded_seconds } }: { room: Room }) {
  if (recording === 'none') {
    return (
      <span className={classes.meeting}>
        Meeting <span>{live_since ? <MeetingClock since={live_since} label="Meeting time" /> : 'running'},</span> not
        recording
      </span>
    )
  }
  const Icon = recording === 'paused' ? IconPlayerPauseFilled : IconPlayerRecordFilled
  return (
    <span className={classes.meeting} data-recording={recording}>
      <Icon size={14} aria-hidden="true" />
      {recording === 'paused' ? 'Paused' : 'Recording'}
      <MeetingClock since={recording_since} seconds={recorded_seconds} label="Recorded time" />
    </span>
  )
}
