import { Badge, Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconPlayerRecord, IconPlayerStop } from '@tabler/icons-react'
import { memo } from 'react'
import type { RecordingAction, RecordingState, Room } from '../../../../shared/rooms.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { useControlRecording } from '../../../lib/queries/rooms.ts'
import { toast } from '../../../ui/toast.tsx'
import classes from './controls.module.css'

const offered: Record<RecordingState, RecordingAction[]> = {
  none: ['start'],
  recording: ['pause', 'stop'],
  paused: ['resume', 'stop'],
}

const buttons: Record<RecordingAction, { word: string; icon: typeof IconPlayerRecord }> = {
  start: { word: 'Record', icon: IconPlayerRecord },
  pause: { word: 'Pause', icon: IconPlayerPause },
  resume: { word: 'Resume', icon: IconPlayerPlay },
  stop: { word: 'Stop', icon: IconPlayerStop },
}

/** What Zoom records of the meeting that runs. The server's refusal says what is missing, so Record is always offered. */
export const RecordingControl = memo(function RecordingControl({ room, disabled }: { room: Room; disabled: boolean }) {
  const { mutateAsync, isPending, variables } = useControlRecording()
  if (!room.zoom_meeting_id) return null

  async function handle(action: RecordingAction) {
    try {
      const { message } = await mutateAsync(action)
      toast.success(message ?? 'Done')
    } catch (error) {
      toast.error(messageOf(error, `Failed to ${action} the recording`))
    }
  }

  return (
    <fieldset className={classes.recording} aria-label="Recording">
      <RecordingBadge room={room} />
      {offered[room.recording].map((action) => {
        const { word, icon: Icon } = buttons[action]
        return (
          <Button
            key={action}
            size="xs"
            variant="default"
            leftSection={<Icon size={15} aria-hidden="true" />}
            disabled={disabled || (isPending && variables !== action)}
            loading={isPending && variables === action}
            onClick={() => void handle(action)}
          >
            {word}
          </Button>
        )
      })}
    </fieldset>
  )
})

function RecordingBadge({ room: { recording, is_live } }: { room: Room }) {
  if (recording === 'recording') {
    return (
      <Badge color="bad" leftSection={<IconPlayerRecord size={13} stroke={2.2} />}>
        Recording
      </Badge>
    )
  }
  if (recording === 'paused') {
    return (
      <Badge color="warn" leftSection={<IconPlayerPause size={13} stroke={2.2} />}>
        Recording paused
      </Badge>
    )
  }
  return <Badge color="quiet">{is_live ? 'Not recording' : 'Meeting not running'}</Badge>
}
