import { VisuallyHidden } from '@mantine/core'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { useAnnouncements } from './use-announcements.ts'

/** Reads hands, mutes and phones that do not answer out to those who do not see the tiles. */
export function LiveRegion({ store }: { store: LiveRoomStore }) {
  const text = useAnnouncements(store)
  return <VisuallyHidden role="status">{text}</VisuallyHidden>
}
