import { useIsMutating, useMutation } from '@tanstack/react-query'
import { type Delivery as Answer, DeliveryAnswer, type RoomUser } from '../../../../shared/room-users.ts'
import { api } from '../../../lib/api-client.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'

export type MuteAllAction = 'mute' | 'unmute'
export type StartDelivery = (action: MuteAllAction, answer: Answer, users: readonly RoomUser[]) => void

const MUTE_ALL_KEY = ['mute-all']

/** Mute All or Unmute All, with an optimistic flag; `muteAll` returns the room as it was before. */
export function useMuteAll(store: LiveRoomStore, startDelivery: StartDelivery) {
  const { mutateAsync } = useMutation({
    mutationKey: MUTE_ALL_KEY,
    mutationFn: async (action: MuteAllAction) =>
      (await api(DeliveryAnswer, 'POST', `/host/trigger-bulk-mute/${action}`)).data,
  })
  // One at a time, since a second call could not roll back to what was before the first.
  const isPending = useIsMutating({ mutationKey: MUTE_ALL_KEY }) > 0

  async function muteAll(action: MuteAllAction): Promise<LiveRoom> {
    const before = store.getState()
    store.setOptimisticFlag(action === 'mute')
    try {
      const answer = await mutateAsync(action)
      store.confirmFlag()
      startDelivery(action, answer, before.users)
      return before
    } catch (error) {
      store.rollbackFlag()
      throw error
    }
  }

  return { muteAll, isPending }
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
