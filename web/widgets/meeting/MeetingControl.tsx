import { Badge, Button, Group, Loader } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Room } from '../../../shared/rooms.ts'
import { messageOf } from '../../lib/api-client.ts'
import { useRights } from '../../lib/session/rights.ts'
import { useNow } from '../../lib/use-now.ts'
import { hostRoom, useEndMeeting } from '../../queries/rooms.ts'
import { useAction } from '../../ui/actions.ts'
import { confirm } from '../../ui/confirm.tsx'
import { formatSince } from '../../ui/format-date.ts'
import { useIsStale } from '../../ui/StaleBadge.tsx'
import { toast } from '../../ui/toast.tsx'
import { MeetingClock } from './MeetingClock.tsx'
import classes from './meeting.module.css'
import { StartMeetingButton } from './StartMeetingButton.tsx'
import { resetStart, START_POLL_MS, START_WAIT_MS, useClearStartWhenLive, useStartProgress } from './start-meeting.ts'

type ControlProps = { room: Room; disabled?: boolean; size?: 'xs' | 'sm' }
/** `withEnd`: false if the page has a button elsewhere that ends the meeting. */
type MeetingControlProps = ControlProps & { withEnd?: boolean }

/** The state of the meeting is not known while it `isStale`. */
type Shown = { isStale: boolean }

/** Shows since when the room's meeting runs at Zoom; starts and ends it. Empty if the room has no Zoom account. */
export function MeetingControl({ room, disabled = false, size = 'xs', withEnd = true }: MeetingControlProps) {
  useClearStartWhenLive(room)
  const isStale = useIsStale(hostRoom.queryKey)
  if (room.zoom_status !== 'connected' && !room.is_live) return null
  return (
    <fieldset className={classes.control} aria-label="Meeting">
      <span role="status">{isStale ? <Badge color="bad">Out of date</Badge> : null}</span>
      {room.is_live ? (
        <Running room={room} isStale={isStale} disabled={disabled} size={size} withEnd={withEnd} />
      ) : (
        <NotRunning isStale={isStale} disabled={disabled} size={size} />
      )}
    </fieldset>
  )
}

function NotRunning({ isStale, disabled, size }: Omit<ControlProps, 'room'> & Shown) {
  const { phase } = useStartProgress()
  const isWaiting = useStartWait()
  const { isHost } = useRights()
  return (
    <>
      {isStale ? null : (
        <Badge
          color={isWaiting ? 'warn' : 'quiet'}
          leftSection={isWaiting ? <Loader size={12} color="currentColor" /> : null}
        >
          {isWaiting ? 'Waiting for Zoom to report the start' : 'Meeting not running'}
        </Badge>
      )}
      {isHost ? (
        <StartMeetingButton
          disabled={disabled}
          size={size}
          label={isWaiting ? 'Open Zoom again' : 'Start meeting'}
          variant={isWaiting || phase === 'blocked' ? 'default' : 'filled'}
        />
      ) : null}
    </>
  )
}

/** Polls faster until Zoom reports the start, and gives up after `START_WAIT_MS`. */
function useStartWait(): boolean {
  const start = useStartProgress()
  const isWaiting = start.phase === 'waiting'
  useQuery({ ...hostRoom, refetchInterval: START_POLL_MS, enabled: isWaiting })
  const now = useNow(isWaiting ? START_POLL_MS : null)
  const isOver = isWaiting && now - start.since > START_WAIT_MS
  useEffect(() => {
    if (isOver) resetStart()
  }, [isOver])
  return isWaiting && !isOver
}

function Running({ room, isStale, disabled, size, withEnd }: MeetingControlProps & Shown) {
  const { isHost } = useRights()
  return (
    <>
      {isStale ? null : (
        <Group component="span" display="inline-flex" gap="0.375rem 0.5rem">
          {room.live_since ? (
            <Badge color="good" className={classes.running} title={`Since ${formatSince(room.live_since)}`}>
              Running for <MeetingClock since={room.live_since} label="Meeting time" />
            </Badge>
          ) : (
            <Badge color="good">Running</Badge>
          )}
        </Group>
      )}
      {room.zoom_status === 'connected' ? (
        <Group component="span" display="inline-flex" gap="0.375rem 0.5rem">
          {isHost ? (
            <StartMeetingButton disabled={disabled} size={size} label="Open in Zoom" variant="default" />
          ) : null}
          {withEnd ? <EndMeetingButton room={room} disabled={disabled} size={size} /> : null}
        </Group>
      ) : null}
    </>
  )
}

/** Ends the meeting for everyone in it, after a confirmation. Empty if Parley cannot end it. */
export function EndMeetingButton({ room, disabled = false, size = 'xs' }: ControlProps) {
  const { mutateAsync, isPending } = useEndMeeting()
  const { managesUsers } = useRights()
  const canEnd = managesUsers && room.zoom_status === 'connected' && room.is_live
  useAction('End meeting', IconPlayerStop, () => void handleEnd(), canEnd && !disabled && !isPending)

  async function handleEnd() {
    const seen = room // another meeting may begin while the confirmation is open
    if (!(await confirm(endQuestion(seen)))) return
    try {
      const { message } = await mutateAsync(seen)
      toast.success(message ?? 'The meeting has ended')
    } catch (error) {
      toast.error(messageOf(error, 'Failed to end the meeting'))
    }
  }

  if (!canEnd) return null
  return (
    <Button
      size={size}
      variant="default"
      c={disabled ? undefined : 'var(--bad)'}
      leftSection={<IconPlayerStop size={15} aria-hidden="true" />}
      disabled={disabled}
      loading={isPending}
      onClick={() => void handleEnd()}
    >
      End meeting
    </Button>
  )
}

function endQuestion({ participant_count, recording }: Room) {
  const count = participant_count ?? 0
  const users = count === 1 ? '1 user' : `${count.toLocaleString('en')} users`
  return {
    title: count === 0 ? 'End the meeting?' : `End the meeting for ${users}?`,
    body: [
      count === 0
        ? 'No user is in it as far as Zoom has reported.'
        : `${count === 1 ? 'The user leaves' : 'They all leave'} the meeting right away. Phones stay signed in to the room.`,
      recording === 'none' ? '' : 'The recording ends with it.',
    ]
      .join(' ')
      .trim(),
    confirmLabel: 'End meeting',
    danger: true,
  }
}
