import { Button, Group } from '@mantine/core'
import { IconExternalLink, IconPlayerPlay } from '@tabler/icons-react'
import { useStartMeeting, useStartProgress, waitForStart } from './start-meeting.ts'

type StartMeetingButtonProps = {
  disabled?: boolean
  size?: 'xs' | 'sm'
  label?: string
  variant?: 'filled' | 'default'
}

export function StartMeetingButton({
  disabled = false,
  size = 'xs',
  label = 'Start meeting',
  variant = 'filled',
}: StartMeetingButtonProps) {
  const start = useStartProgress()
  const startMeeting = useStartMeeting()
  if (start.phase === 'blocked') {
    return (
      <Group component="span" display="inline-flex" gap="xs" fz="sm" c="dimmed" role="status">
        Zoom’s window was blocked or closed.
        <Button
          component="a"
          size={size}
          href={start.url}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconExternalLink size={15} aria-hidden="true" />}
          onClick={waitForStart}
        >
          Open Zoom
        </Button>
      </Group>
    )
  }
  return (
    <Button
      size={size}
      variant={variant}
      leftSection={
        label === 'Start meeting' ? (
          <IconPlayerPlay size={15} aria-hidden="true" />
        ) : (
          <IconExternalLink size={15} aria-hidden="true" />
        )
      }
      disabled={disabled}
      loading={start.phase === 'fetching'}
      onClick={() => void startMeeting()}
    >
      {label}
    </Button>
  )
}
