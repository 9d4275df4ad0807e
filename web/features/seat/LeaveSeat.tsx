import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../lib/api-client.ts'
import { hostRoom, useEndMeeting } from '../../queries/rooms.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import type { SeatKeeper } from './seat-keeper.ts'

/** Asks whether the meeting goes on, where it would be left without a host. */
export function LeaveSeat({ keeper, onClose }: { keeper: SeatKeeper; onClose: () => void }) {
  const { data: room } = useQuery(hostRoom)
  const { mutateAsync, isPending } = useEndMeeting()
  const [isOnlyHost] = useState(keeper.isOnlyHost) // the question stays the same while it is open

  function handleLeave() {
    onClose()
    void keeper.release()
  }

  async function handleEnd() {
    if (!room) return
    try {
      await mutateAsync(room)
      handleLeave()
    } catch (error) {
      toast.error(messageOf(error, 'Failed to end the meeting'))
    }
  }

  return (
    <Dialog title="Leave the host’s seat?" centered busy={isPending} onClose={onClose}>
      <Stack gap="md">
        <Text size="md">
          Those in Zoom only are then no longer seen or muted from here.
          {isOnlyHost ? ' You are the only host: without the seat the meeting goes on without a host.' : ''}
        </Text>
        <Group gap="xs" justify="flex-end">
          <CancelButton disabled={isPending} />
          {isOnlyHost && room?.is_live ? (
            <Button variant="default" c="var(--bad)" loading={isPending} onClick={() => void handleEnd()}>
              End the meeting
            </Button>
          ) : null}
          <Button disabled={isPending} onClick={handleLeave}>
            Leave the seat
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
