import { useMemo } from 'react'
import { useStore } from 'zustand'
import { type Attendee, LAST_SEEN_MS } from '../../../../shared/seat.ts'
import { useNow } from '../../../lib/use-now.ts'
import type { SeatStore } from '../../../widgets/seat/seat-store.ts'
import { guestsOf, type SeatView } from '../../../widgets/seat/seat-view.ts'
import { type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'

type ShownGuests = {
  view: SeatView
  guests: readonly Attendee[]
  /** When a lost seat saw them last, as a time of day. */
  lastSeen: string | null
}

const NO_KEYS: ReadonlySet<string> = new Set()
const EMPTY: ReadonlyMap<string, Attendee> = new Map()
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** Lists those in the Zoom meeting whom no phone shows; whom a lost seat saw last, for a minute more. */
export function useGuests(store: LiveRoomStore, seat: SeatStore): ShownGuests {
  const state = useStore(seat)
  const users = useStore(store, usersOf)
  const { lostAt } = state
  const now = useNow(lostAt === null ? null : 1000)
  const isOver = lostAt !== null && now - lostAt >= LAST_SEEN_MS
  const view = useMemo(() => {
    if (state.lostAt === null) return state
    return { ...state, speaking: NO_KEYS, ...(isOver && { attendees: EMPTY }) }
  }, [state, isOver])
  const guests = useMemo(() => {
    const online = new Set(users.map(({ id }) => id))
    return guestsOf(view, (id) => online.has(id))
  }, [view, users])
  return { view, guests, lastSeen: lostAt === null ? null : CLOCK.format(new Date(performance.timeOrigin + lostAt)) }
}
