import { Button, Group, Stack } from '@mantine/core'
import { IconChevronDown, IconPlayerPauseFilled, IconPlayerRecordFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Room } from '../../../../shared/rooms.ts'
import { ButtonPopover } from '../../../ui/ButtonPopover.tsx'
import { MeetingClock } from '../../../widgets/meeting/MeetingClock.tsx'

/** Shows the state of the meeting with its clock, and opens its controls. */
export function MeetingPopover({ room, children }: { room: Room; children: ReactNode }) {
  return (
    <ButtonPopover
      label="Meeting"
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
      <Stack gap="sm">{children}</Stack>
    </ButtonPopover>
  )
}

function MeetingWords({ room: { live_since, recording, recording_since, recorded_seconds } }: { room: Room }) {
  if (recording === 'none') {
    return (
      <Group component="span" gap={6} wrap="nowrap">
        Meeting <span>{live_since ? <MeetingClock since={live_since} label="Meeting time" /> : 'running'},</span> not
        recording
      </Group>
    )
  }
  const Icon = recording === 'paused' ? IconPlayerPauseFilled : IconPlayerRecordFilled
  return (
    <Group component="span" gap={6} wrap="nowrap" c={recording === 'recording' ? 'var(--bad)' : undefined}>
      <Icon size={14} aria-hidden="true" />
      {recording === 'paused' ? 'Paused' : 'Recording'}
      <MeetingClock since={recording_since} seconds={recorded_seconds} label="Recorded time" />
    </Group>
  )
}
