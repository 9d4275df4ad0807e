import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { hostRoom, roomDetails } from '../../../lib/queries/rooms.ts'
import { hostMuteAllStatus, onlineUsers, type RoomRef } from '../queries.ts'
import { createLiveRoomStore } from './live-room-store.ts'
import { useRoomEvents } from './use-room-events.ts'

/** Whether the meeting runs and is recorded comes from Zoom, which nobody tells us within a second. */
const ROOM_EVERY_MS = 5_000

/** Keeps the room as it is now: polled twice a second, and changed at once by what its event stream says. */
export function useLiveRoom() {
  const [store] = useState(createLiveRoomStore)

  const poll = useQuery(onlineUsers)
  useEffect(() => {
    if (poll.data) store.hearPoll(poll.data.answer, poll.data.requestedAt)
  }, [store, poll.data])

  const { data: details } = useQuery(roomDetails)
  const { data: zoomRoom } = useQuery({ ...hostRoom, refetchInterval: ROOM_EVERY_MS })
  const room_id = details?.room_id
  const meeting_id = zoomRoom?.zoom_meeting_id
  const ref: RoomRef | null = useMemo(
    () => (room_id === undefined || meeting_id === undefined ? null : { room_id, meeting_id }),
    [room_id, meeting_id],
  )

  const { data: flag } = useQuery(hostMuteAllStatus(ref))
  useEffect(() => {
    if (flag) store.hearFlag(flag.active, flag.requestedAt)
  }, [store, flag])

  const isStreaming = useRoomEvents(ref, store.hearEvent)

  return { store, poll, zoomRoom, roomName: details?.room_name ?? zoomRoom?.room_name ?? 'Room', isStreaming }
}
