import { useCallback, useState } from 'react'
import type { RoomUser, UserAction } from '../../../../shared/room-users.ts'
import { ApiError, messageOf } from '../../../lib/api-client.ts'
import { useActOnRoomUser } from '../../../lib/queries/room-users.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'

export type ParticipantAction = Extract<UserAction, 'mute' | 'unmute' | 'lower-hand' | 'logout' | 'deactivate'>
export type Act = (user: RoomUser, action: ParticipantAction) => Promise<void>

const failed: Record<ParticipantAction, string> = {
  mute: 'Failed to mute user',
  unmute: 'Failed to unmute user',
  'lower-hand': 'Failed to lower the hand',
  logout: 'Failed to logout user',
  deactivate: 'Failed to deactivate user',
}

/** Acts on one participant and says how that went; knows on whom an act is under way. */
export function useActOnParticipant() {
  const { mutateAsync } = useActOnRoomUser()
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set())

  const act: Act = useCallback(
    async (user, action) => {
      if (action === 'deactivate' && !(await agreesToStop(user))) return
      setBusyIds((ids) => new Set(ids).add(user.id))
      try {
        // An unmute opens a microphone: it says what was seen, and is refused when that no longer holds.
        const expect = action === 'unmute' ? { is_muted: user.is_muted } : undefined
        await mutateAsync({ id: user.id, action, expect })
        if (action === 'logout') toast.success(`${user.username} logged out`)
        if (action === 'deactivate') toast.success(`${user.username} stopped`)
      } catch (error) {
        const hasChanged = error instanceof ApiError && error.code === 'state_changed'
        toast.error(hasChanged ? changedWords(user) : messageOf(error, failed[action]))
      } finally {
        setBusyIds((ids) => new Set([...ids].filter((id) => id !== user.id)))
      }
    },
    [mutateAsync],
  )

  return { busyIds, act }
}

function changedWords({ username, is_muted }: RoomUser): string {
  return `${username} has changed: ${is_muted ? 'no longer muted' : 'muted by now'}`
}

function agreesToStop({ username }: RoomUser): Promise<boolean> {
  return confirm({
    title: `Stop ${username}?`,
    body: 'The phone leaves the room at once, and cannot sign in again until you activate the user on Users Master.',
    confirmLabel: 'Stop user',
    danger: true,
  })
}
