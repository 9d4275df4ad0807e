import { useCallback } from 'react'
import type { RoomUser, SeenUser, UserAction } from '../../../../shared/room-users.ts'
import { ApiError } from '../../../lib/api-client.ts'
import { useActOnRoomUser } from '../../../queries/room-users.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { otherWhoActed, reportFailure } from './failures.ts'

export type ParticipantAction = Extract<
  UserAction,
  'mute' | 'unmute' | 'lower-hand' | 'pin' | 'unpin' | 'logout' | 'deactivate'
>
/** `seen` replaces the state that `seenFor` would send. */
export type Act = (user: RoomUser, action: ParticipantAction, seen?: SeenUser) => Promise<void>

const failed: Record<ParticipantAction, string> = {
  mute: 'Failed to mute user',
  unmute: 'Failed to unmute user',
  'lower-hand': 'Failed to lower the hand',
  pin: 'Failed to pin user',
  unpin: 'Failed to unpin user',
  logout: 'Failed to logout user',
  deactivate: 'Failed to deactivate user',
}

/** Tells by a user whether an action on it is done; an absence tells nothing, since the user may have left. */
export const isDone: Record<ParticipantAction, (user: RoomUser) => boolean> = {
  mute: ({ is_muted }) => is_muted,
  unmute: ({ is_muted, wants_to_speak }) => !is_muted && !wants_to_speak,
  'lower-hand': ({ wants_to_speak }) => !wants_to_speak,
  pin: ({ is_pinned }) => is_pinned,
  unpin: ({ is_pinned }) => !is_pinned,
  logout: () => false,
  deactivate: () => false,
}

export function useActOnParticipant(store: LiveRoomStore): Act {
  const { mutateAsync } = useActOnRoomUser()

  return useCallback(
    async (user, action, seen) => {
      if (action === 'deactivate' && !(await confirmDeactivation(user))) return
      try {
        await mutateAsync({ id: user.id, action, expect: seen ?? seenFor(action, user) })
        if (action === 'pin') toast.success(`${user.username} is pinned: Mute All leaves this user as it is`)
        if (action === 'unpin') toast.success(`${user.username} is no longer pinned`)
        if (action === 'logout') toast.success(`${user.username} signed out`)
        if (action === 'deactivate') toast.success(`${user.username} deactivated`)
      } catch (error) {
        const hasChanged = error instanceof ApiError && error.code === 'state_changed'
        if (hasChanged) toast.error(changedText(action, user, seen, otherWhoActed(error)))
        else await reportFailure(store, error, failed[action], { users: [user], isDone: isDone[action] })
      }
    },
    [mutateAsync, store],
  )
}

/**
 * Returns the state that the host saw: if it is out of date, the server refuses to unmute, lower a hand or end a
 * session.
 */
function seenFor(action: ParticipantAction, user: RoomUser): SeenUser | undefined {
  if (action === 'unmute') return { is_muted: user.is_muted }
  if (action === 'lower-hand') return { wants_to_speak_at: user.wants_to_speak_at }
  return action === 'logout' ? { device_id: user.device_id } : undefined
}

function changedText(
  action: ParticipantAction,
  { username, is_muted }: RoomUser,
  seen: SeenUser | undefined,
  other: string | null,
): string {
  // Allow: the hand was lowered, or another console was quicker.
  if (action === 'unmute' && seen?.wants_to_speak_at) return `${username} no longer wants to speak`
  if (action === 'lower-hand') return `${username} has raised the hand again`
  if (action === 'logout') return `${username} has another phone now`
  return `${username} has changed: ${is_muted ? 'no longer muted' : 'already muted'}${other === null ? '' : `, by ${other}`}`
}

function confirmDeactivation({ username }: RoomUser): Promise<boolean> {
  return confirm({
    title: `Deactivate ${username}?`,
    body: 'The phone leaves the room immediately, and cannot sign in again until you activate the user on Users Master.',
    confirmLabel: 'Deactivate user',
    danger: true,
  })
}
