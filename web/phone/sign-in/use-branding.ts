import { useEffect, useRef, useState } from 'react'
import type { RoomBranding } from '../../../shared/mobile.ts'
import { getBranding } from './calls.ts'
import { isHostId } from './host-id.ts'

type Branding = { hostId: string; room: RoomBranding | 'unknown' }

const TYPING_PAUSE_MS = 400

/** Looks the room up once the Host ID is complete; null while pending, or if the lookup fails. */
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
          () => {}, // sign-in works without it
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
