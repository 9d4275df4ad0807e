import { createStore } from 'zustand/vanilla'
import type { QueueOrder } from '../../../../shared/queue-order.ts'
import type { RoomEvent } from '../../../../shared/room-events.ts'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { TurnLimit } from '../../../../shared/turns.ts'
import { applyPolledFlag, confirmOptimistic, type HostMuteAll, rollback, setOptimistic } from './host-mute-all.ts'
import { applyEvents, applyPoll, emptyRoom, type LiveRoomState, type PolledRoom } from './live-room.ts'

export type LiveRoomStore = ReturnType<typeof createLiveRoomStore>

/** A page visit's copy of the room. The events of one animation frame are applied together. */
export function createLiveRoomStore() {
  const store = createStore<LiveRoomState>()(() => emptyRoom)
  let queue: RoomEvent[] = []

  function applyQueue() {
    const events = queue
    queue = []
    store.setState((room) => applyEvents(room, events, performance.now()), true)
  }

  const setFlag = (change: (flag: HostMuteAll) => HostMuteAll) =>
    store.setState((room) => ({ hostMuteAll: change(room.hostMuteAll) }))

  return {
    ...store,
    applyEvent(event: RoomEvent) {
      if (queue.push(event) === 1) requestAnimationFrame(applyQueue)
    },
    applyPoll(list: PolledRoom | null, requestedAt: number) {
      applyQueue()
      store.setState((room) => applyPoll(room, list, requestedAt, performance.now()), true)
    },
    applyPolledFlag: (active: boolean, requestedAt: number) =>
      setFlag((flag) => applyPolledFlag(flag, active, requestedAt, performance.now())),
    setOptimisticFlag: (active: boolean) => setFlag((flag) => setOptimistic(flag, active)),
    confirmFlag: () => setFlag((flag) => confirmOptimistic(flag, performance.now())),
    /** Shows what the server has saved, before a poll does. */
    setTurnLimit: (turnLimit: TurnLimit) => store.setState({ turnLimit, floorChangedAt: performance.now() }),
    setQueueOrder: (queueOrder: QueueOrder) => store.setState({ queueOrder, floorChangedAt: performance.now() }),
    rollbackFlag: () => setFlag((flag) => rollback(flag, performance.now())),
  }
}

export const usersOf = (room: LiveRoomState) => room.users
export const lastActOf = (room: LiveRoomState) => room.lastAct
/** The user who has the floor, while online and not muted. */
export function floorUserOf({ floorId, usersById }: LiveRoomState): RoomUser | undefined {
  const user = floorId === null ? undefined : usersById.get(floorId)
  return user?.is_online && !user.is_muted ? user : undefined
}
export const floorSinceOf = (room: LiveRoomState) => room.floorSince
export const turnLimitOf = (room: LiveRoomState) => room.turnLimit
export const queueOrderOf = (room: LiveRoomState) => room.queueOrder
export const groupsOfRoom = (room: LiveRoomState) => room.groups
export const wordsOf = (room: LiveRoomState) => room.words
export const isInStep = (room: LiveRoomState) => room.isInStep
export const isMuteAllOn = (room: LiveRoomState) => room.hostMuteAll.active
/** The flag that the server has confirmed; a pending press does not count. */
export const isMuteAllConfirmed = ({ hostMuteAll }: LiveRoomState) => hostMuteAll.revertTo ?? hostMuteAll.active
export const isMuteAllPending = (room: LiveRoomState) => room.hostMuteAll.revertTo !== null
