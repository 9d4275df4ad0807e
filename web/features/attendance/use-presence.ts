import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { roomUsers } from '../../queries/room-users.ts'

/** Counts the users who may sign in; `missing` are those who are offline. */
export type PresenceCounts = { total: number; here: number; missing: RoomUser[] }

/** Returns null before the list has loaded, and for a room without active users. */
export function usePresence(isLive: boolean): PresenceCounts | null {
  const { data } = useQuery({ ...roomUsers, enabled: isLive })
  const users = isLive ? data?.users : undefined
  return useMemo(() => {
    const expected = users?.filter(({ is_active }) => is_active) ?? []
    const missing = expected.filter(({ is_online }) => !is_online)
    return expected.length > 0 ? { total: expected.length, here: expected.length - missing.length, missing } : null
  }, [users])
}
