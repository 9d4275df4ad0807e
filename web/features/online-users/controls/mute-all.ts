import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Delivery, MuteAllAnswer, type RoomUser, type UndoMuteAll } from '../../../../shared/room-users.ts'
import { api, messageOf } from '../../../lib/api-client.ts'
import { toast } from '../../../ui/toast.tsx'
import { useSeat } from '../../../widgets/seat/seat-context.ts'
import { canMute } from '../../../widgets/seat/seat-view.ts'
import { isMuteAllOn, type LiveRoomStore } from '../live-room/live-room-store.ts'
import { otherWhoActed } from './failures.ts'
import { isMuteAllInZoom } from './mute-all-in-zoom.ts'

export type MuteAllAction = 'mute' | 'unmute'
export type StartDelivery = (action: MuteAllAction, answer: Delivery, users: readonly RoomUser[]) => void

/** Actions that open or empty a room with more users than this need a confirmation. */
export const CONFIRM_ABOVE = 10

export type MuteOthers = (user: Pick<RoomUser, 'id'>) => Promise<void>

type MuteAll = {
  action: MuteAllAction
  /** The id of one user whom Mute All does not change. */
  except?: string
  /** The state that the page showed, so that Unmute All does not undo another person's newer act. */
  expect?: { host_mute_all_active: boolean; act?: string }
}

export type OnUndoable = (undo: UndoMuteAll | null) => void

/** Mute All or Unmute All, with an optimistic flag. */
export function useMuteAll(store: LiveRoomStore, startDelivery: StartDelivery, onUndoable: OnUndoable) {
  const seat = useSeat()
  const { mutateAsync } = useMutation({
    mutationFn: async ({ action, except, expect }: MuteAll) => {
      const lock = action === 'mute' && seat && canMute(seat.store.getState()) ? isMuteAllInZoom() : undefined
      const body = { ...(except !== undefined && { except: [except] }), expect, lock }
      return (await api(MuteAllAnswer, 'POST', `/host/trigger-bulk-mute/${action}`, body)).data
    },
  })

  return useCallback(
    async (all: MuteAll): Promise<void> => {
      const { users } = store.getState()
      const isMute = all.action === 'mute'
      store.setOptimisticFlag(isMute)
      try {
        const { undo, ...delivery } = await mutateAsync(all)
        store.confirmFlag()
        if (isMuteAllOn(store.getState()) !== isMute) return // a later action has been shown before this answer came
        startDelivery(
          all.action,
          delivery,
          users.filter(({ id, is_pinned, is_muted }) => id !== all.except && !(isMute && is_pinned && !is_muted)),
        )
        if (undo || !isMute) onUndoable(undo) // a Mute All without Undo changed nobody, and an earlier Undo stays
      } catch (error) {
        store.rollbackFlag()
        const other = otherWhoActed(error)
        const message = messageOf(error, isMute ? 'Failed to mute users' : 'Failed to unmute users')
        toast.error(other === null || message.includes(other) ? message : `${message} It was ${other}.`)
      }
    },
    [store, startDelivery, onUndoable, mutateAsync],
  )
}

/** Mutes all but one user: one action, with the same Undo. */
export function useMuteOthers(store: LiveRoomStore, startDelivery: StartDelivery, onUndoable: OnUndoable): MuteOthers {
  const muteAll = useMuteAll(store, startDelivery, onUndoable)
  return useCallback(({ id }) => muteAll({ action: 'mute', except: id }), [muteAll])
}
