import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import type { RoomSession, RoomView } from './room-session.ts'

export function useRoomView(session: RoomSession): RoomView {
  return useSyncExternalStore(
    useCallback((listener) => session.subscribe(listener), [session]),
    () => session.view,
  )
}

/** Joins the meeting once its element exists. */
export function useMeeting(session: RoomSession) {
  const container = useRef<HTMLDivElement>(null)
  const joined = useRef<RoomSession>(null)
  useEffect(() => {
    if (!container.current || joined.current === session) return
    joined.current = session
    session.join(container.current)
  }, [session])

  const turnSoundOn = useCallback(async () => {
    await session.leaveSound().catch(() => {}) // a failure here must not prevent the new one
    if (container.current) session.join(container.current)
  }, [session])
  return { container, turnSoundOn }
}
