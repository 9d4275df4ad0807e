import { useCallback, useState } from 'react'
import type { RoomUser, SeenUser } from '../../../shared/room-users.ts'
import { messageOf } from '../../lib/api-client.ts'
import { useActOnRoomUser, useActOnRoomUsers } from '../../queries/room-users.ts'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { useCopyCredentials } from '../invitation/use-copy-credentials.ts'
import { useUndoableToast } from './use-undoable-toast.ts'
import { actionPastTense, USER_LIST_ACTIONS, type UserListAction, type UserRowAction } from './user-actions.ts'

/** Acts on one user: confirms where that matters, acts, reports the result. */
export function useActOnUser() {
  const { mutateAsync: actOnUser } = useActOnRoomUser()
  return useCallback(
    async (action: UserListAction, user: RoomUser) => {
      if (!(await agrees(action, [user]))) return
      const isSwitch = action === 'switch'
      try {
        await actOnUser({ id: user.id, action, expect: seenFor(action, user) })
        const switched = 'Device binding cleared. User can now login from a new phone.'
        toast.success(isSwitch ? switched : `${user.username} ${actionPastTense(action)}`)
      } catch (error) {
        toast.error(messageOf(error, isSwitch ? 'Failed to clear device binding' : `Failed to ${action} user`))
      }
    },
    [actOnUser],
  )
}

/**
 * Runs a host's actions on users, in the list and in the panel of one: confirms where that matters, acts, reports the
 * result.
 */
export function useUserActions() {
  const actOnUser = useActOnUser()
  const copy = useCopyCredentials(toast)
  const { mutateAsync: actOnUsers, isPending: isBulkPending } = useActOnRoomUsers()
  const report = useUndoableToast()
  const [editedId, setEditedId] = useState<string | null>(null)
  const [invited, setInvited] = useState<readonly RoomUser[] | null>(null)

  const act = useCallback(
    async (action: UserRowAction, user: RoomUser) => {
      if (action === 'edit') return setEditedId(user.id)
      if (action === 'copy') return copy(user)
      if (action === 'invite') return setInvited([user])
      await actOnUser(action, user)
    },
    [actOnUser, copy],
  )

  /** Acts only on the selected users that the action would change. */
  const actOnMany = useCallback(
    async (action: UserListAction, chosen: readonly RoomUser[]) => {
      if (chosen.length === 0) return toast.error('Please select users first')
      const applies = USER_LIST_ACTIONS.find((one) => one.action === action)?.applies
      const users = chosen.filter((user) => applies?.(user) ?? true)
      if (users.length === 0 || !(await agrees(action, users))) return
      try {
        const expect = Object.fromEntries(users.map((user) => [user.id, seenFor(action, user) ?? {}]))
        const { succeeded, failed } = await actOnUsers({ action, userIds: users.map(({ id }) => id), expect })
        const outcome = `${countOf(succeeded)} ${actionPastTense(action)}`
        if (failed.length === 0) report(outcome, action, users)
        else toast.error(`${outcome}, ${failed.length.toLocaleString('en')} failed: ${failed[0]?.message}`)
      } catch (error) {
        toast.error(messageOf(error, `Failed to ${action} users`))
      }
    },
    [actOnUsers, report],
  )

  const closeEdit = useCallback(() => setEditedId(null), [])
  const invite = useCallback((chosen: readonly RoomUser[]) => {
    if (chosen.length === 0) toast.error('Please select users first')
    else setInvited(chosen)
  }, [])
  const closeInvitation = useCallback(() => setInvited(null), [])
  return { act, actOnMany, isBulkPending, editedId, closeEdit, invited, invite, closeInvitation }
}

/** Returns the state that the action relies on: the phone shown, the name confirmed, the mute to undo. */
function seenFor(action: UserListAction, { is_muted, device_id, username, user_id }: RoomUser): SeenUser | undefined {
  if (action === 'unmute') return { is_muted }
  if (action === 'delete') return { username, user_id }
  return action === 'switch' || action === 'logout' ? { device_id } : undefined
}

function countOf({ length }: readonly unknown[]) {
  return length === 1 ? '1 user' : `${length.toLocaleString('en')} users`
}

async function agrees(action: UserListAction, users: readonly RoomUser[]): Promise<boolean> {
  const [only, another] = users
  const isOne = only !== undefined && another === undefined
  const who = isOne ? only.username : countOf(users)
  if (action === 'delete') {
    return confirm({
      title: `Delete ${who}?`,
      body: isOne
        ? 'The user is signed out of the phone immediately, and deleted for good.'
        : 'They are signed out of their phones immediately, and deleted for good.',
      confirmLabel: isOne ? 'Delete user' : 'Delete users',
      danger: true,
    })
  }
  if (action === 'switch') {
    return confirm({
      title: isOne ? `Switch ${who} to another phone?` : `Switch ${who} to other phones?`,
      body: isOne
        ? `A user may sign in from one phone only. This frees ${who} from ${only.device_model ?? 'the present phone'}, which is signed out; the next phone that signs in takes its place.`
        : 'A user may sign in from one phone only. This frees each of them from the present phone, which is signed out; the next phone that signs in takes its place.',
      confirmLabel: 'Switch phone',
    })
  }
  return true
}
