import { Button, Group } from '@mantine/core'
import { IconPlayerRecord } from '@tabler/icons-react'
import { create } from 'zustand'
import type { Room } from '../../../shared/rooms.ts'
import { messageOf } from '../../lib/api-client.ts'
import { secondsSince } from '../../lib/server-clock.ts'
import { useRights } from '../../lib/session/rights.ts'
import { useNow } from '../../lib/use-now.ts'
import { useControlRecording } from '../../queries/rooms.ts'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'

/** Zoom reports the recording a moment after the meeting's start. */
const GRACE_SECONDS = 15

/** `live_since` of the meeting for which the host has dismissed the warning. */
const useDismissed = create<{ since: string | null }>()(() => ({ since: null }))

/** Warns while the room's meeting runs unrecorded although the room is set to record. */
export function UnrecordedWarning({ room, disabled = false }: { room: Room; disabled?: boolean }) {
  const { managesUsers } = useRights()
  const isUnrecorded =
    managesUsers &&
    room.zoom_status === 'connected' &&
    room.is_live &&
    room.recording_enabled &&
    room.recording === 'none'
  const now = useNow(isUnrecorded ? 5000 : null)
  const dismissed = useDismissed((state) => state.since)
  const sitting = room.live_since ?? 'unknown'
  if (!isUnrecorded || dismissed === sitting) return null
  if (room.live_since && secondsSince(room.live_since, now) < GRACE_SECONDS) return null
  return <Unrecorded disabled={disabled} onDismiss={() => useDismissed.setState({ since: sitting })} />
}

function Unrecorded({ disabled, onDismiss }: { disabled: boolean; onDismiss: () => void }) {
  const { mutateAsync, isPending } = useControlRecording()

  async function handleRecord() {
    try {
      const { message } = await mutateAsync('start')
      toast.success(message ?? 'Done')
    } catch (error) {
      toast.error(messageOf(error, 'Failed to start the recording'))
    }
  }

  return (
    <Notice
      tone="warn"
      title="This meeting is not being recorded"
      onDismiss={onDismiss}
      closeButtonLabel="Hide this warning"
    >
      <Group justify="space-between" gap="xs">
        Recording is on for your room, but Zoom is not recording.
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerRecord size={15} aria-hidden="true" />}
          disabled={disabled}
          loading={isPending}
          onClick={() => void handleRecord()}
        >
          Record
        </Button>
      </Group>
    </Notice>
  )
}
