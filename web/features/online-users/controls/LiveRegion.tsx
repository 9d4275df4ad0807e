import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useNow } from '../../../lib/use-now.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { announcements } from './announcements.ts'

/** Longer than a burst of changes, so that a Mute All is one sentence. */
const GATHER_MS = 1500

/** Announces hands, mutes and phones that do not answer to screen readers. */
export function LiveRegion({ store }: { store: LiveRoomStore }) {
  const now = useNow(GATHER_MS)
  const [last, setLast] = useState(() => ({ now, users: store.getState().users, text: '' }))
  if (now !== last.now) {
    const { users } = store.getState()
    // Emptied in between, so that a repeated announcement is read again.
    setLast({ now, users, text: users === last.users ? '' : announcements(last.users, users) })
  }
  return <VisuallyHidden role="status">{last.text}</VisuallyHidden>
}
