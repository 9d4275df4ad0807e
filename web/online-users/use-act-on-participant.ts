import { useCallback, useState } from 'react'
import type { RoomUser } from '../../shared/room-users.ts'
import { useActOnRoomUser } from '../room-users/queries.ts'

export type ParticipantAction = 'mute' | 'unmute' | 'logout'

/** Acts on one participant, and knows on whom an act is under way. */
export function useActOnParticipant() {
  const { mutateAsync } = useActOnRoomUser()
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set())

  const act = useCallback(
    async (user: RoomUser, action: ParticipantAction) => {
      setBusyIds((ids) => new Set(ids).add(user.id))
      try {
        // An unmute opens a microphone: it says what was seen, and is refused when that no longer holds.
        const expect = action === 'unmute' ? { is_muted: true } : undefined
        await mutateAsync({ id: user.id, action, expect })
      } finally {
        setBusyIds((ids) => new Set([...ids].filter((id) => id !== user.id)))
      }
    },
    [mutateAsync],
  )

  return { busyIds, act }
}
