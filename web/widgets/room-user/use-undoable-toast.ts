import { useCallback } from 'react'
import type { RoomUser, SeenUser, UserAction } from '../../../shared/room-users.ts'
import { messageOf } from '../../lib/api-client.ts'
import { useActOnRoomUsers } from '../../queries/room-users.ts'
import { toast } from '../../ui/toast.tsx'

/** Acts that take each other back, with the state that the first one leaves. Sign-outs and deletions have none. */
const UNDONE_BY: Partial<Record<UserAction, { action: UserAction; left: SeenUser }>> = {
  mute: { action: 'unmute', left: { is_muted: true } },
  unmute: { action: 'mute', left: { is_muted: false } },
  activate: { action: 'deactivate', left: { is_active: true } },
  deactivate: { action: 'activate', left: { is_active: false } },
}

/**
 * Reports an act on many users. Where it can be undone, its toast does that for the users whom it changed, unless
 * another act has changed them since.
 */
export function useUndoableToast() {
  const { mutateAsync: actOnUsers } = useActOnRoomUsers()
  return useCallback(
    (text: string, action: UserAction, changed: readonly Pick<RoomUser, 'id'>[]) => {
      const undo = UNDONE_BY[action]
      if (!undo || changed.length === 0) return toast.success(text)
      const userIds = changed.map(({ id }) => id)
      const expect = Object.fromEntries(userIds.map((id) => [id, undo.left]))
      toast.success(text, () => {
        actOnUsers({ action: undo.action, userIds, expect }).then(
          ({ failed: { length: left } }) => {
            if (left === 0) toast.success('Undone')
            else
              toast.warning(
                `Undone, except for ${left === 1 ? '1 user who has' : `${left} users who have`} changed since`,
              )
          },
          (error: unknown) => toast.error(messageOf(error, 'Failed to undo')),
        )
      })
    },
    [actOnUsers],
  )
}
