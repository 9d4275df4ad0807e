import { queryOptions, useMutation } from '@tanstack/react-query'
import { CleanupAnswer, DeliveryAnswer, OnlineUsersAnswer } from '../../../shared/room-users.ts'
import { HostMuteAllStatus, StreamSession } from '../../../shared/rooms.ts'
import { api, apiCached } from '../../lib/api-client.ts'
import { polledUsers } from '../../lib/queries/polled-users.ts'
import { POLL_LIMIT_MS } from '../../lib/queries/room-users.ts'

const PolledOnlineUsers = OnlineUsersAnswer.extend({
  data: OnlineUsersAnswer.shape.data.extend({ users: polledUsers() }),
})

/** Which room the live calls mean; `meeting_id` is null where the room has no Zoom meeting. */
export interface RoomRef {
  room_id: string
  meeting_id: string | null
}

/** Times are `performance.now()`, which no change of the clock moves. */
export const onlineUsers = queryOptions({
  queryKey: ['online-users'],
  queryFn: async ({ signal }) => {
    const requestedAt = performance.now()
    const limit = AbortSignal.any([signal, AbortSignal.timeout(POLL_LIMIT_MS)])
    const answer = await apiCached(PolledOnlineUsers, '/host/online-users', { signal: limit })
    return { answer, requestedAt }
  },
  refetchInterval: 500, // not while the tab is hidden
  retry: false, // the next poll is the retry
  structuralSharing: false, // the live room keeps what has not changed
})

export const hostMuteAllStatus = (room: RoomRef | null) =>
  queryOptions({
    queryKey: ['host-mute-all-status', room],
    queryFn: async ({ signal }) => {
      const requestedAt = performance.now()
      const answer = await api(HostMuteAllStatus, 'POST', '/mobile/host-mute-all-status', room, { signal })
      return { active: answer.host_mute_all_active, requestedAt }
    },
    enabled: room !== null,
  })

export async function openStreamSession(room: RoomRef, signal: AbortSignal): Promise<string> {
  return (await api(StreamSession, 'POST', '/mobile/sse-session', room, { signal })).sseUrl
}

export const muteEverybodyKey = ['mute-everybody']

/** Mute All, or Unmute All; the answer counts the phones it is for. */
export function useMuteEverybody() {
  return useMutation({
    mutationKey: muteEverybodyKey,
    mutationFn: async (action: 'mute' | 'unmute') =>
      (await api(DeliveryAnswer, 'POST', `/host/trigger-bulk-mute/${action}`)).data,
  })
}

/** Takes away who gave no sign of life for too long, at once rather than when their time is up. */
export function useCleanUpStaleUsers() {
  return useMutation({
    mutationFn: async () => (await api(CleanupAnswer, 'POST', '/host/cleanup-stale-users')).cleanedUsers,
  })
}
