import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { NewPasscodeAnswer, type RecordingAction, RoomAnswer, RoomDetailsAnswer } from '../../../shared/rooms.ts'
import { api } from '../api-client.ts'

/** The room's name changes rarely. */
export const roomDetails = queryOptions({
  queryKey: ['room-details'],
  queryFn: ({ signal }) => api(RoomDetailsAnswer, 'GET', '/host/details', undefined, { signal }),
  staleTime: 60_000,
  gcTime: 60_000,
})

export const hostRoom = queryOptions({
  queryKey: ['host-room'],
  queryFn: async ({ signal }) => (await api(RoomAnswer, 'GET', '/host/room', undefined, { signal })).data.room,
})

export function useControlRecording() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: RecordingAction) => api(RoomAnswer, 'POST', `/host/recording/${action}`),
    onSuccess: ({ data }) => client.setQueryData(hostRoom.queryKey, data.room),
  })
}

export function useNewPasscode() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api(NewPasscodeAnswer, 'POST', '/host/room/passcode'),
    onSettled: () => client.invalidateQueries(hostRoom),
  })
}
