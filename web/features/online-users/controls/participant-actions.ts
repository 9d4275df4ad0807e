import { useCallback } from 'react'
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

export function useActOnParticipant(): Act {
  const { mutateAsync } = useActOnRoomUser()

  return useCallback(
    async (user, action) => {
      if (action === 'deactivate' && !(await confirmDeactivation(user))) return
      try {
        // An unmute opens a microphone, so the server refuses it when the host saw an older state.
        const expect = action === 'unmute' ? { is_muted: user.is_muted } : undefined
        await mutateAsync({ id: user.id, action, expect })
        if (action === 'logout') toast.success(`${user.username} signed out`)
        if (action === 'deactivate') toast.success(`${user.username} deactivated`)
      } catch (error) {
        const hasChanged = error instanceof ApiError && error.code === 'state_changed'
        toast.error(hasChanged ? changedText(user) : messageOf(error, failed[action]))
      }
    },
    [mutateAsync],
  )
}

function changedText({ username, is_muted }: RoomUser): string {
  return `${username} has changed: ${is_muted ? 'no longer muted' : 'already muted'}`
}

function confirmDeactivation({ username }: RoomUser): Promise<boolean> {
  return confirm({
    title: `Deactivate ${username}?`,
    body: 'The phone leaves the room immediately, and cannot sign in again until you activate the user on Users Master.',
    confirmLabel: 'Deactivate user',
    danger: true,
  })
}
