import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Delivery, MuteAllAnswer, type RoomUser, type UndoMuteAll } from '../../../../shared/room-users.ts'
import { api } from '../../../lib/api-client.ts'
import { toast } from '../../../ui/toast.tsx'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { failureText } from './failures.ts'

export type MuteAllAction = 'mute' | 'unmute'
export type StartDelivery = (action: MuteAllAction, answer: Delivery, users: readonly RoomUser[]) => void

/** Actions that open or empty a room with more users than this need a confirmation. */
export const CONFIRM_ABOVE = 10

const MUTE_ALL_KEY = ['mute-all']

export type MuteOthers = (user: Pick<RoomUser, 'id'>) => Promise<void>

type MuteAll = {
  action: MuteAllAction
  /** The id of one user whom Mute All does not change. */
  except?: string
  /** The flag that the page showed, so that Unmute All does not undo another console's newer Mute All. */
  expect?: { host_mute_all_active: boolean }
}

/** Mute All or Unmute All, with an optimistic flag; `muteAll` returns the data for Undo, or null. */
export function useMuteAll(store: LiveRoomStore, startDelivery: StartDelivery) {
  const { mutateAsync } = useMutation({
    mutationKey: MUTE_ALL_KEY,
    mutationFn: async ({ action, except, expect }: MuteAll) => {
      const body = { ...(except !== undefined && { except: [except] }), expect }
      return (await api(MuteAllAnswer, 'POST', `/host/trigger-bulk-mute/${action}`, body)).data
    },
  })
  // One at a time, since a second call could not roll back to the state before the first.
  const isPending = useIsMutating({ mutationKey: MUTE_ALL_KEY }) > 0

  const muteAll = useCallback(
    async (all: MuteAll): Promise<UndoMuteAll | null> => {
      const { users } = store.getState()
      store.setOptimisticFlag(all.action === 'mute')
      try {
        const answer = await mutateAsync(all)
        store.confirmFlag()
        startDelivery(
          all.action,
          answer,
          users.filter(({ id }) => id !== all.except),
        )
        return answer.undo
      } catch (error) {
        store.rollbackFlag()
        throw error
      }
    },
    [store, startDelivery, mutateAsync],
  )

  return { muteAll, isPending }
}

/** Mutes all but one user: one action, with the same Undo. */
export function useMuteOthers(
  store: LiveRoomStore,
  startDelivery: StartDelivery,
  onUndoable: (undo: UndoMuteAll | null) => void,
): MuteOthers {
  const { muteAll } = useMuteAll(store, startDelivery)
  return useCallback(
    async ({ id }) => {
      try {
        const undo = await muteAll({ action: 'mute', except: id })
        if (undo) onUndoable(undo)
      } catch (error) {
        toast.error(failureText(error, 'Failed to mute users'))
      }
    },
    [muteAll, onUndoable],
  )
}
