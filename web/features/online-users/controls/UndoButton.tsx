import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../lib/api-client.ts'
import { useActOnRoomUsers } from '../../../lib/queries/room-users.ts'
import { useNow } from '../../../lib/use-now.ts'
import { toast } from '../../../ui/toast.tsx'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { type StartDelivery, type UndoMuteAll, useMuteAll } from './mute-all.ts'

const UNDO_MS = 10_000

type UndoButtonProps = {
  undo: UndoMuteAll
  store: LiveRoomStore
  disabled: boolean
  startDelivery: StartDelivery
  /** Used, or too late. */
  onOver: () => void
}

export function UndoButton({ undo, store, disabled, startDelivery, onOver }: UndoButtonProps) {
  const { muteAll } = useMuteAll(store, startDelivery)
  const bulk = useActOnRoomUsers()
  const undoing = useMutation({
    mutationFn: async () => {
      if (undo.unmuteAll) await muteAll('unmute')
      if (undo.mute.length > 0) await bulk.mutateAsync({ action: 'mute', userIds: undo.mute })
      if (undo.unmute.length > 0) await bulk.mutateAsync({ action: 'unmute', userIds: undo.unmute })
    },
    onError: (error) => toast.error(messageOf(error, 'Failed to unmute users')),
    onSettled: onOver,
  })
  const [startedAt] = useState(() => performance.now())
  const now = useNow(undoing.isPending ? null : 1000)
  const secondsLeft = Math.round((UNDO_MS - (now - startedAt)) / 1000)

  useEffect(() => {
    if (secondsLeft <= 0) onOver()
  }, [secondsLeft, onOver])

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
