import { useSeat, useSeatView } from '../../../widgets/seat/seat-context.ts'
import type { SeatStore } from '../../../widgets/seat/seat-store.ts'
import { isSeeing } from '../../../widgets/seat/seat-view.ts'
import { useGuests } from '../guests/use-guests.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { Total } from './OnlineCount.tsx'

/** Counts those in the Zoom meeting whom no phone shows, while a seat sees them. */
export function ZoomOnlyCount({ store }: { store: LiveRoomStore }) {
  const access = useSeat()
  const isShown = useSeatView(isSeeing)
  return access && isShown ? <GuestCount store={store} seat={access.store} /> : null
}

function GuestCount({ store, seat }: { store: LiveRoomStore; seat: SeatStore }) {
  const { guests, view } = useGuests(store, seat)
  return <Total label="In Zoom only" count={guests.length + view.others} />
}
