import { useIsMutating } from '@tanstack/react-query'
import type { Delivery as Answered } from '../../../../shared/room-users.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { muteEverybodyKey, useMuteEverybody } from '../queries.ts'
import type { Delivery } from './delivery.ts'

export type StartDelivery = (kind: Delivery['kind'], answered: Answered, users: LiveRoom['users']) => void

/** Mute All or Unmute All, the flag shown at once and taken back if the call fails; gives the room as it was before. */
export function useMuteEverybodyAtOnce(store: LiveRoomStore, startDelivery: StartDelivery) {
  const { mutateAsync } = useMuteEverybody()
  // One at a time: a second press would not know what a failure of the first goes back to.
  const isChanging = useIsMutating({ mutationKey: muteEverybodyKey }) > 0

  async function muteEverybody(kind: Delivery['kind']): Promise<LiveRoom> {
    const before = store.current()
    store.pressFlag(kind === 'mute')
    try {
      const answered = await mutateAsync(kind)
      store.confirmFlag()
      startDelivery(kind, answered, before.users)
      return before
    } catch (error) {
      store.refuseFlag()
      throw error
    }
  }

  return { muteEverybody, isChanging }
}
