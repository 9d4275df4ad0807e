import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { DeliveryAnswer, type UndoMuteAll } from '../../../../shared/room-users.ts'
import { ApiError, api, messageOf } from '../../../lib/api-client.ts'
import { useNow } from '../../../lib/use-now.ts'
import { toast } from '../../../ui/toast.tsx'
import { isMuteAllOn, type LiveRoomStore } from '../live-room/live-room-store.ts'
import { isUnanswered, nextPoll } from './failures.ts'
import type { StartDelivery } from './mute-all.ts'

const UNDO_MS = 10_000

type UndoButtonProps = {
  undo: UndoMuteAll
  store: LiveRoomStore
  disabled: boolean
  startDelivery: StartDelivery
  /** Called when Undo was used, or has expired; a newer one may be shown by then. */
  onOver: (undo: UndoMuteAll) => void
}

export function UndoButton({ undo, store, disabled, startDelivery, onOver }: UndoButtonProps) {
  const undoing = useMutation({
    mutationFn: async () => {
      const { users } = store.getState()
      const { data } = await api(DeliveryAnswer, 'POST', '/host/undo-mute-all', undo, { adds: true })
      startDelivery('unmute', data, users)
    },
    onSuccess: () => onOver(undo),
    onError: async (error) => {
      if (isUnanswered(error)) {
        await nextPoll(store)
        if (!isMuteAllOn(store.getState())) return onOver(undo)
      }
      toast.error(messageOf(error, 'Failed to unmute users'))
      if (error instanceof ApiError && error.code === 'state_changed') onOver(undo)
      else setStartedAt(performance.now()) // the room is as it was, so Undo stays
    },
  })
  const [startedAt, setStartedAt] = useState(() => performance.now())
  const now = useNow(undoing.isPending ? null : 1000)
  const secondsLeft = Math.round((UNDO_MS - (now - startedAt)) / 1000)

  useEffect(() => {
    if (secondsLeft <= 0) onOver(undo)
  }, [secondsLeft, onOver, undo])

  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
      disabled={disabled}
      loading={undoing.isPending}
      onClick={() => undoing.mutate()}
    >
      Undo&nbsp;<span aria-hidden="true">({secondsLeft})</span>
    </Button>
  )
}
