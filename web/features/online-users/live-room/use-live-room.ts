import { useDocumentVisibility, useThrottledCallback } from '@mantine/hooks'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { z } from 'zod'
import { useStore } from 'zustand'
import { isSeatEvent, type RoomEvent } from '../../../../shared/room-events.ts'
import { OnlineUsersAnswer } from '../../../../shared/room-users.ts'
import { HostMuteAllStatus } from '../../../../shared/rooms.ts'
import { api, apiIfChanged } from '../../../lib/api-client.ts'
import { useNow } from '../../../lib/use-now.ts'
import { parseUsers } from '../../../queries/parse-users.ts'
import { phoneRequests } from '../../../queries/phone-requests.ts'
import { POLL_LIMIT_MS } from '../../../queries/room-users.ts'
import { liveHostRoom, roomDetails } from '../../../queries/rooms.ts'
import { listenToRoom, type StreamedRoom } from '../../../widgets/room-stream/listen-to-room.ts'
import { useSeat } from '../../../widgets/seat/seat-context.ts'
import { createLiveRoomStore, type LiveRoomStore } from './live-room-store.ts'

/** Milliseconds without stream or poll after which the page counts as stale. */
const STALE_AFTER_MS = 5000
/** A hidden tab neither polls nor listens; once visible it has this long to catch up before it counts as stale. */
const CATCH_UP_MS = 1500
const CHECK_MS = 250
/** A hall of new phones asks within a minute: the list follows the first at once, and the others together. */
const NEW_PHONES_MS = 2_000

/**
 * Keeps the room's state up to date by a poll twice a second, and immediately by the events of its stream.
 * `onMutedAgain` must stay the same function, or the stream is opened again.
 */
export function useLiveRoom(onMutedAgain: (username: string) => void) {
  const [store] = useState(createLiveRoomStore)
  const seat = useSeat()?.store
  const poll = useQuery(onlineUsers(store))
  const { data: details } = useQuery(roomDetails)
  const { data: zoomRoom } = useQuery(liveHostRoom)
  const room_id = details?.room_id
  const meeting_id = zoomRoom?.zoom_meeting_id
  const room: StreamedRoom | null = useMemo(
    () => (room_id === undefined || meeting_id === undefined ? null : { room_id, meeting_id }),
    [room_id, meeting_id],
  )
  useQuery(hostMuteAllStatus(store, room))
  const client = useQueryClient()
  const readNewPhones = useThrottledCallback(() => void client.invalidateQueries(phoneRequests), NEW_PHONES_MS)
  const handleEvent = useCallback(
    (event: RoomEvent) => {
      if (isSeatEvent(event)) return seat?.applyEvent(event)
      store.applyEvent(event)
      if (event.name === 'phone-requests') readNewPhones()
      if (event.name !== 'user-muted-again') return
      onMutedAgain(store.getState().usersById.get(event.data.user_id)?.username ?? 'A user')
    },
    [store, seat, readNewPhones, onMutedAgain],
  )
  const isStreaming = useRoomEvents(room, handleEvent)

  return { store, poll, zoomRoom, roomName: details?.room_name ?? zoomRoom?.room_name ?? 'Room', isStreaming }
}

const PolledUsers = OnlineUsersAnswer.extend({
  data: OnlineUsersAnswer.shape.data.extend({ users: z.array(z.unknown()) }),
})

/** Puts the list into the store; times are `performance.now()`, which no change of the clock moves. */
const onlineUsers = (store: LiveRoomStore) =>
  queryOptions({
    queryKey: ['online-users'],
    queryFn: async ({ signal }) => {
      const requestedAt = performance.now()
      const limit = AbortSignal.any([signal, AbortSignal.timeout(POLL_LIMIT_MS)])
      const { version } = store.getState()
      const changed = await apiIfChanged(PolledUsers, '/host/online-users', version, { signal: limit })
      const list = changed && {
        users: parseUsers(changed.answer.data.users, store.getState().usersById),
        hostMuteAll: changed.answer.host_mute_all_active,
        floorId: changed.answer.floor_user_id,
        floorSince: changed.answer.floor_since,
        turnLimit: changed.answer.turn_limit,
        queueOrder: changed.answer.queue_order,
        groups: changed.answer.groups,
        words: changed.answer.words,
        moderators: changed.answer.moderators,
        lastAct: changed.answer.last_act,
        isInStep: !changed.answer.out_of_step,
        version: changed.version,
      }
      store.applyPoll(list, requestedAt)
      return null
    },
    refetchInterval: 500, // pauses while the tab is hidden
    retry: false, // the next poll is the retry
  })

const hostMuteAllStatus = (store: LiveRoomStore, room: StreamedRoom | null) =>
  queryOptions({
    queryKey: ['host-mute-all-status', room],
    queryFn: async ({ signal }) => {
      const requestedAt = performance.now()
      const answer = await api(HostMuteAllStatus, 'POST', '/mobile/host-mute-all-status', room, { signal })
      store.applyPolledFlag(answer.host_mute_all_active, requestedAt)
      return null
    },
    enabled: room !== null,
  })

/**
 * Forwards the room's events while the tab is visible; returns true while the stream is open. A hidden tab closes its
 * connection and visible ones share one, since a browser allows six to one site for all its tabs together.
 */
function useRoomEvents(room: StreamedRoom | null, onEvent: (event: RoomEvent) => void): boolean {
  const isVisible = useDocumentVisibility() === 'visible'
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    if (!room || !isVisible) return
    return listenToRoom(room, { onEvent, onOpen: setOpen })
  }, [room, isVisible, onEvent])

  return isOpen
}

export type ConnectionState = 'live' | 'reconnecting' | 'stale'

/** Only `live` enables buttons; times are `performance.now()`. */
export function connectionState(lastContactAt: number, visibleSince: number, now: number): ConnectionState {
  if (now - lastContactAt < STALE_AFTER_MS) return 'live'
  return now - visibleSince < CATCH_UP_MS ? 'reconnecting' : 'stale'
}

export function useConnection(store: LiveRoomStore): ConnectionState {
  const isVisible = useDocumentVisibility() === 'visible'
  const [seen, setSeen] = useState({ isVisible, since: performance.now() })
  if (seen.isVisible !== isVisible) setSeen({ isVisible, since: performance.now() })
  const now = useNow(isVisible ? CHECK_MS : null)
  return useStore(store, ({ lastContactAt }) => connectionState(lastContactAt, seen.since, now))
}
