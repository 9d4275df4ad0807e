import type { RoomEvent } from '../../../../shared/room-events.ts'
import type { OnlineUsersAnswer } from '../../../../shared/room-users.ts'
import { confirmed, type HostMuteAll, heardApi, pressed, refused } from './host-mute-all.ts'
import { emptyRoom, type LiveRoom, withEvents, withPoll } from './live-room.ts'

/** Holds the live room for one visit of the page. A frame's events change the page once. */
export function createLiveRoomStore() {
  const listeners = new Set<() => void>()
  let room: LiveRoom = emptyRoom
  let queued: RoomEvent[] = []

  function become(next: LiveRoom) {
    if (next === room) return
    room = next
    for (const listener of listeners) listener()
  }

  function applyQueued() {
    const events = queued
    queued = []
    become(withEvents(room, events, performance.now()))
  }

  const changeFlag = (change: (flag: HostMuteAll) => HostMuteAll) =>
    become({ ...room, hostMuteAll: change(room.hostMuteAll) })

  return {
    current: () => room,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    hearEvent(event: RoomEvent) {
      if (queued.push(event) === 1) requestAnimationFrame(applyQueued)
    },
    hearPoll(answer: OnlineUsersAnswer, requestedAt: number) {
      applyQueued()
      become(withPoll(room, answer, requestedAt, performance.now()))
    },
    hearFlag(active: boolean, requestedAt: number) {
      changeFlag((flag) => heardApi(flag, active, requestedAt, performance.now()))
    },
    pressFlag(active: boolean) {
      changeFlag((flag) => pressed(flag, active))
    },
    confirmFlag() {
      changeFlag((flag) => confirmed(flag, performance.now()))
    },
    refuseFlag() {
      changeFlag((flag) => refused(flag, performance.now()))
    },
  }
}

export type LiveRoomStore = ReturnType<typeof createLiveRoomStore>
