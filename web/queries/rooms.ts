import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  NewPasscodeAnswer,
  type RecordingAction,
  type Room,
  RoomAnswer,
  RoomDetailsAnswer,
  StartMeetingAnswer,
} from '../../shared/rooms.ts'
import { api } from '../lib/api-client.ts'
import { readServerTime } from '../lib/server-clock.ts'

/** The room's name changes rarely. */
export const roomDetails = queryOptions({
  queryKey: ['room-details'],
  queryFn: ({ signal }) => api(RoomDetailsAnswer, 'GET', '/host/details', undefined, { signal }),
  staleTime: 60_000,
  gcTime: 60_000,
})

export const hostRoom = queryOptions({
  queryKey: ['host-room'],
  queryFn: async ({ signal }) => roomIn(await api(RoomAnswer, 'GET', '/host/room', undefined, { signal })),
})

/** Polls the state of the meeting and its recording: Zoom's events arrive more than a second after a change. */
export const liveHostRoom = queryOptions({ ...hostRoom, refetchInterval: 5000 })

export function useControlRecording() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: RecordingAction) => api(RoomAnswer, 'POST', `/host/recording/${action}`),
    onSuccess: (answer) => client.setQueryData(hostRoom.queryKey, (known) => newerOf(known, roomIn(answer))),
    onError: () => client.invalidateQueries(hostRoom), // the meeting may have ended
  })
}

export function useEndMeeting() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ live_since, meeting_uuid }: Room) =>
      api(RoomAnswer, 'POST', '/host/room/end', { expect: { live_since, meeting_uuid } }),
    onSuccess: (answer) => client.setQueryData(hostRoom.queryKey, (known) => newerOf(known, roomIn(answer))),
    onError: () => client.invalidateQueries(hostRoom),
  })
}

/** Zoom's start link is a secret: with a signal of its own, the call's answer is not kept for a second press. */
export async function fetchStartUrl(signal: AbortSignal): Promise<string> {
  return (await api(StartMeetingAnswer, 'POST', '/host/room/start', undefined, { signal })).data.start_url
}

export function useNewPasscode() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api(NewPasscodeAnswer, 'POST', '/host/room/passcode'),
    onSettled: () => client.invalidateQueries(hostRoom),
  })
}

/** An answer may come after a later one of a poll. */
const newerOf = (known: Room | undefined, room: Room) => (known && known.server_time > room.server_time ? known : room)

function roomIn({ data: { room } }: { data: { room: Room } }): Room {
  readServerTime(room.server_time)
  return room
}
