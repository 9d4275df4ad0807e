import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Delivery as Answer, DeliveryAnswer, type RoomUser } from '../../../../shared/room-users.ts'
import { api, messageOf } from '../../../lib/api-client.ts'
import { toast } from '../../../ui/toast.tsx'
import type { LiveRoom } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'

export type MuteAllAction = 'mute' | 'unmute'
export type StartDelivery = (action: MuteAllAction, answer: Answer, users: readonly RoomUser[]) => void

/** With more users than this, what opens or empties the room asks first. */
export const CONFIRM_ABOVE = 10

const MUTE_ALL_KEY = ['mute-all']

export type MuteOthers = (user: Pick<RoomUser, 'id'>) => Promise<void>

/** Mute All or Unmute All, with an optimistic flag; `muteAll` returns the room as it was before. */
export function useMuteAll(store: LiveRoomStore, startDelivery: StartDelivery) {
  const { mutateAsync } = useMutation({
    mutationKey: MUTE_ALL_KEY,
    mutationFn: async ({ action, except }: { action: MuteAllAction; except: string | undefined }) => {
      const body = except === undefined ? undefined : { except: [except] }
      return (await api(DeliveryAnswer, 'POST', `/host/trigger-bulk-mute/${action}`, body)).data
    },
  })
  // One at a time, since a second call could not roll back to what was before the first.
  const isPending = useIsMutating({ mutationKey: MUTE_ALL_KEY }) > 0

  const muteAll = useCallback(
    async (action: MuteAllAction, except?: string): Promise<LiveRoom> => {
      const before = store.getState()
      store.setOptimisticFlag(action === 'mute')
      try {
        const answer = await mutateAsync({ action, except })
        store.confirmFlag()
        startDelivery(action, answer, except ? before.users.filter(({ id }) => id !== except) : before.users)
        return before
      } catch (error) {
        store.rollbackFlag()
        throw error
      }
    },
    [store, startDelivery, mutateAsync],
  )

  return { muteAll, isPending }
}

/** Mute All for all but one user: one act, with the same Undo. */
export function useMuteOthers(
  store: LiveRoomStore,
  startDelivery: StartDelivery,
  onUndoable: (undo: UndoMuteAll | null) => void,
): MuteOthers {
  const { muteAll } = useMuteAll(store, startDelivery)
  return useCallback(
    async ({ id }) => {
      try {
        const before = await muteAll('mute', id)
        onUndoable(
          undoMuteAll(
            before.hostMuteAll.active,
            before.users.filter((user) => user.id !== id),
          ),
        )
      } catch (error) {
        toast.error(messageOf(error, 'Failed to mute users'))
      }
    },
    [muteAll, onUndoable],
  )
}

/** What brings the room back to how it was before Mute All. */
export interface UndoMuteAll {
  /** Only Unmute All clears the flag, but it unmutes everyone, */
  readonly unmuteAll: boolean
  /** so users who were muted before are muted again after it. */
  readonly mute: readonly string[]
  /** If the flag was already on, only users who had been unmuted since. */
  readonly unmute: readonly string[]
}

/** Null when Mute All changed nothing. */
export function undoMuteAll(
  flagBefore: boolean,
  usersBefore: readonly Pick<RoomUser, 'id' | 'is_muted'>[],
): UndoMuteAll | null {
  const idsWhere = (is_muted: boolean) => usersBefore.filter((user) => user.is_muted === is_muted).map(({ id }) => id)
  if (!flagBefore) return { unmuteAll: true, mute: idsWhere(true), unmute: [] }
  const unmute = idsWhere(false)
  return unmute.length === 0 ? null : { unmuteAll: false, mute: [], unmute }
}
