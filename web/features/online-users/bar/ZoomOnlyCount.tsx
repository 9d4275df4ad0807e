import { useSeatView } from '../../../widgets/seat/seat-context.ts'
import { isSeeing } from '../../../widgets/seat/seat-view.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { useGuests } from '../live-room/use-guests.ts'
import { Total } from './OnlineCount.tsx'

/** Counts those in the Zoom meeting whom no phone shows, while a seat sees them. */
export function ZoomOnlyCount({ store }: { store: LiveRoomStore }) {
  return useSeatView(isSeeing) ? <GuestCount store={store} /> : null
}

function GuestCount({ store }: { store: LiveRoomStore }) {
  const { guests, view } = useGuests(store)
  return <Total label="In Zoom only" count={guests.length + view.others} />
}
