import { Badge, Button, Group, Text } from '@mantine/core'
import {
  IconPlayerPause,
  IconPlayerPauseFilled,
  IconPlayerPlay,
  IconPlayerRecord,
  IconPlayerRecordFilled,
  IconPlayerStop,
} from '@tabler/icons-react'
import { type MouseEvent, memo } from 'react'
import type { RecordingAction, RecordingState, Room } from '../../../shared/rooms.ts'
import { messageOf } from '../../lib/api-client.ts'
import { useRights } from '../../lib/session/rights.ts'
import { hostRoom, useControlRecording } from '../../queries/rooms.ts'
import { useIsStale } from '../../ui/StaleBadge.tsx'
import { toast } from '../../ui/toast.tsx'
import { useClickGuard } from '../../ui/use-click-guard.ts'
import { MeetingClock } from './MeetingClock.tsx'
import classes from './meeting.module.css'
import { StartMeetingButton } from './StartMeetingButton.tsx'

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

type RecordingControlProps = {
  room: Room
  disabled?: boolean
  /** False beside a meeting control, which already has a start button. */
  withStart?: boolean
}

/** Shows the state of the recording, and the buttons that can succeed now. */
export const RecordingControl = memo(function RecordingControl(props: RecordingControlProps) {
  const { room, disabled = false, withStart = true } = props
  const { isHost, managesUsers } = useRights()
  if (!managesUsers || room.zoom_status !== 'connected') return null
  return (
    <fieldset className={classes.control} aria-label="Recording">
      <RecordingBadge room={room} />
      {room.is_live ? (
        <RecordingButtons room={room} disabled={disabled} />
      ) : (
        <>
          <Text component="span" size="sm" c="dimmed">
            {hint(room)}
          </Text>
          {isHost && withStart && room.recording_enabled ? (
            <StartMeetingButton disabled={disabled} variant="default" />
          ) : null}
        </>
      )}
    </fieldset>
  )
})

/** Zoom starts recording by itself, as the room's meeting is set up. */
function hint({ recording_enabled }: Room): string {
  return recording_enabled ? 'Starts with the meeting.' : SWITCHED_OFF
}

const SWITCHED_OFF = 'Recording is switched off for your room. Ask your administrator to turn it on.'

function RecordingButtons({ room: { recording, recording_enabled }, disabled }: { room: Room; disabled: boolean }) {
  const { mutateAsync, isPending, variables } = useControlRecording()

  async function handle(action: RecordingAction) {
    try {
      const { message } = await mutateAsync(action)
      toast.success(message ?? 'Done')
    } catch (error) {
      toast.error(messageOf(error, `Failed to ${action} the recording`))
    }
  }

  const actions = offered[recording].filter((action) => recording_enabled || action !== 'resume')
  const isMeant = useClickGuard(actions) // one button replaces another as soon as Zoom answers
  if (!recording_enabled && recording === 'none')
    return (
      <Text component="span" size="sm" c="dimmed">
        {SWITCHED_OFF}
      </Text>
    )
  return (
    <Group component="span" display="inline-flex" gap="0.375rem 0.5rem">
      {actions.map((action) => {
        const { word, icon: Icon } = buttons[action]
        return (
          <Button
            key={action}
            size="xs"
            variant="default"
            leftSection={<Icon size={15} aria-hidden="true" />}
            disabled={disabled || (isPending && variables !== action)}
            loading={isPending && variables === action}
            onClick={(event: MouseEvent) => {
              if (isMeant(action, event)) void handle(action)
            }}
          >
            {word}
          </Button>
        )
      })}
    </Group>
  )
}

function RecordingBadge({ room }: { room: Room }) {
  const { recording, recording_since, recorded_seconds } = room
  const isStale = useIsStale(hostRoom.queryKey)
  if (isStale) return <Badge color="quiet">Out of date</Badge>
  if (recording === 'none') return <Badge color="quiet">Not recording</Badge>
  const isPaused = recording === 'paused'
  const Icon = isPaused ? IconPlayerPauseFilled : IconPlayerRecordFilled
  const isTimed = isPaused || recording_since !== null
  return (
    <Group component="span" display="inline-flex" gap="0.375rem 0.5rem">
      <Badge color={isPaused ? 'warn' : 'bad'} leftSection={<Icon size={13} />}>
        {isPaused ? 'Recording paused' : 'Recording'}
      </Badge>
      {isTimed ? <MeetingClock since={recording_since} seconds={recorded_seconds} label="Recorded time" /> : null}
    </Group>
  )
}
