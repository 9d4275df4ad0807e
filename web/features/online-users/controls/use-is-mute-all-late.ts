import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { isMuteAllPending, type LiveRoomStore } from '../live-room/live-room-store.ts'

/** A faster answer shows only its outcome, without a flicker of words. */
const LATE_MS = 1000

/** True while Mute All or Unmute All has been unanswered for more than a second. */
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
