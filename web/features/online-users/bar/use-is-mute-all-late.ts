import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { isMuteAllPending, type LiveRoomStore } from '../live-room/live-room-store.ts'

/** An answer that comes sooner shows its outcome alone, without a flicker of words. */
const LATE_MS = 1000

/** Whether Mute All or Unmute All has been without an answer for a second. */
export function useIsMuteAllLate(store: LiveRoomStore): boolean {
  const isPending = useStore(store, isMuteAllPending)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isPending])
  return isPending && isLate
}
