import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { RoomEvent } from '../../../../shared/room-events.ts'
import { openStreamSession, type RoomRef } from '../queries.ts'
import { listenToRoom } from './room-stream.ts'
import { type Hearing, shareStream } from './shared-stream.ts'

/**
 * Passes on the room's events while the tab is shown, and says whether they can be heard. A hidden tab gives its
 * connection back, and those that are shown share one: a browser allows six to one site, for all its tabs together.
 */
export function useRoomEvents(room: RoomRef | null, onEvent: (event: RoomEvent) => void): boolean {
  const isShown = useDocumentVisibility() === 'visible'
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    if (!room || !isShown) return
    const listen = (hearing: Hearing) =>
      listenToRoom({
        origin: window.location.origin,
        openSession: (signal) => openStreamSession(room, signal),
        openStream: (url) => new EventSource(url),
        ...hearing,
      })
    return shareStream({ name: `parley-room-${room.room_id}`, listen, onEvent, onOpen: setOpen })
  }, [room, isShown, onEvent])

  return isOpen
}
