import { useCallback, useState } from 'react'
import type { RoomUser } from '../../shared/room-users.ts'
import { messageOf } from '../api.ts'
import { confirm } from '../ui/confirm.tsx'
import { toast } from '../ui/toast.tsx'
import type { BulkAction } from './BulkMenu.tsx'
import { useActOnRoomUser, useActOnRoomUsers } from './queries.ts'
import type { UserRowAction } from './UserActions.tsx'
import { useCopyCredentials } from './use-copy-credentials.ts'

const done: Record<BulkAction, string> = {
  activate: 'activated',
  deactivate: 'deactivated',
  logout: 'logged out',
  delete: 'deleted',
}

/** What the Users Master screen does to its users: it asks where that matters, acts, and says how it went. */
export function useUserActions() {
  const { mutateAsync: actOnUser } = useActOnRoomUser()
  const copy = useCopyCredentials()
  const bulk = useActOnRoomUsers()
  const [editedId, setEditedId] = useState<string | null>(null)

  const act = useCallback(
    async (action: UserRowAction, user: RoomUser) => {
      if (action === 'edit') return setEditedId(user.id)
      if (action === 'copy') return copy(user)
      if (!(await agrees(action, user))) return
      const isSwitch = action === 'switch'
      try {
        await actOnUser({ id: user.id, action })
        const switched = 'Device binding cleared. User can now login from a new phone.'
        toast.success(isSwitch ? switched : `${user.username} ${done[action]}`)
      } catch (error) {
        toast.error(messageOf(error, isSwitch ? 'Failed to clear device binding' : `Failed to ${action} user`))
      }
    },
    [actOnUser, copy],
  )

  async function actOnMany(action: BulkAction, userIds: string[]) {
    if (userIds.length === 0) return toast.error('Please select users first')
    const question = {
      title: `Delete ${countOf(userIds)}?`,
      body: 'They are deleted for good, and signed out of their phones at once.',
      confirmLabel: 'Delete',
      danger: true,
    }
    if (action === 'delete' && !(await confirm(question))) return
    try {
      const { succeeded, failed } = await bulk.mutateAsync({ action, userIds })
      const outcome = `${countOf(succeeded)} ${done[action]}`
      if (failed.length === 0) toast.success(outcome)
      else toast.error(`${outcome}, ${failed.length} failed: ${failed[0]?.message}`)
    } catch (error) {
      toast.error(messageOf(error, `Failed to ${action} users`))
    }
  }

  const closeEdit = useCallback(() => setEditedId(null), [])
  return { act, actOnMany, isBulkPending: bulk.isPending, editedId, closeEdit }
}

function countOf({ length }: string[]) {
  return length === 1 ? '1 user' : `${length} users`
}

async function agrees(action: UserRowAction, { username, device_model }: RoomUser): Promise<boolean> {
  if (action === 'delete') {
    return confirm({
      title: `Delete ${username}?`,
      body: 'The user is deleted for good, and signed out of the phone at once.',
      confirmLabel: 'Delete user',
      danger: true,
    })
  }
  if (action === 'switch') {
    return confirm({
      title: `Switch ${username} to another phone?`,
      body: `A user may log in from one phone only. This frees ${username} from ${device_model ?? 'the present phone'}, which is signed out; the next phone that logs in takes its place.`,
      confirmLabel: 'Switch phone',
    })
  }
  return true
}
