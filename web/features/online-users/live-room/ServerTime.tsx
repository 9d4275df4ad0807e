import { createContext, type ReactNode, use } from 'react'
import { useStore } from 'zustand'
import { formatClock } from '../../../lib/format-clock.ts'
import { useNow } from '../../../lib/use-now.ts'
import type { LiveRoomState } from './live-room.ts'
import type { LiveRoomStore } from './live-room-store.ts'

const SECOND_MS = 1000

/** A context, so that each second renders only the running times, not their containers. */
const ServerTime = createContext(0)

type ServerClockProps = { store: LiveRoomStore; stopped: boolean; children: ReactNode }

/**
 * A single clock for all running times, which have server timestamps. It stops while nothing is timed or the connection
 * is lost.
 */
export function ServerClock({ store, stopped, children }: ServerClockProps) {
  const clockOffset = useStore(store, clockOffsetOf)
  const isRunning = useStore(store, isAnythingTimed) && !stopped
  const now = useNow(isRunning ? SECOND_MS : null)
  return <ServerTime value={clockOffset === null ? Date.now() : now + clockOffset}>{children}</ServerTime>
}

const clockOffsetOf = (room: LiveRoomState) => room.clockOffset
const isAnythingTimed = ({ users, floorId }: LiveRoomState) =>
  floorId !== null || users.some((user) => user.is_speaking || user.wants_to_speak)

/** Returns the whole seconds since a time of the server, and renders again each second. */
export function useSecondsSince(since: string | null): number {
  const time = use(ServerTime)
  return since === null ? 0 : Math.max(0, Math.floor((time - Date.parse(since)) / SECOND_MS))
}

export function Elapsed({ since }: { since: string | null }) {
  const time = use(ServerTime)
  return since === null ? null : formatClock((time - Date.parse(since)) / SECOND_MS)
}
