import { useEffect, useRef, useState } from 'react'
import type { RoomBranding } from '../../../shared/mobile.ts'
import { getBranding } from './calls.ts'
import { isHostId } from './host-id.ts'

type Branding = { hostId: string; room: RoomBranding | 'unknown' }

const TYPING_PAUSE_MS = 400

/** Of the room with this Host ID, as soon as it is one; null while it is not known, or cannot be asked for. */
export function useBranding(hostId: string): RoomBranding | 'unknown' | null {
  const [found, setFound] = useState<Branding | null>(null)
  const fromAddress = useRef(hostId)
  useEffect(() => {
    if (!isHostId(hostId)) return
    const leaving = new AbortController()
    const timer = setTimeout(
      () => {
        getBranding(hostId, leaving.signal).then(
          (room) => setFound({ hostId, room: room ?? 'unknown' }),
          () => {}, // signing in works without it
        )
      },
      hostId === fromAddress.current ? 0 : TYPING_PAUSE_MS,
    )
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [hostId])
  return found?.hostId === hostId ? found.room : null
}
