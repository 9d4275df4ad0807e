import { useMemo } from 'react'
import { useStore } from 'zustand'
import { type Attendee, LAST_SEEN_MS } from '../../../../shared/seat.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useSeatView } from '../../../widgets/seat/seat-context.ts'
import { guestsOf, isSeeing, type SeatView } from '../../../widgets/seat/seat-view.ts'
import { type LiveRoomStore, usersOf } from './live-room-store.ts'

type ShownGuests = {
  view: SeatView
  guests: readonly Attendee[]
  /** When a lost seat saw them last, as a time of day. */
  lastSeen: string | null
  /** Lists the guests whose hand is raised, while they are seen. */
  hands: readonly Attendee[]
  /** True while the seat can act on them. */
  canAct: boolean
}

const NOBODY: readonly Attendee[] = []
const NO_KEYS: ReadonlySet<string> = new Set()
const EMPTY: ReadonlyMap<string, Attendee> = new Map()
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** Lists those in the Zoom meeting whom no phone shows; whom a lost seat saw last, for a minute more. */
export function useGuests(store: LiveRoomStore): ShownGuests {
  const state = useSeatView(wholeView)
  const users = useStore(store, usersOf)
  const { lostAt } = state
  const now = useNow(lostAt === null ? null : 1000)
  const isOver = lostAt !== null && now - lostAt >= LAST_SEEN_MS
  const view = useMemo(() => {
    if (state.lostAt === null) return state
    return { ...state, speaking: NO_KEYS, ...(isOver && { attendees: EMPTY }) }
  }, [state, isOver])
  const guests = useMemo(() => {
    if (view.attendees.size === 0) return NOBODY
    const online = new Set(users.map(({ id }) => id))
    return guestsOf(view, (id) => online.has(id))
  }, [view, users])
  const lastSeen = lostAt === null ? null : CLOCK.format(new Date(performance.timeOrigin + lostAt))
  const canAct = lastSeen === null && isSeeing(view) && view.seat.powers !== 'none'
  const hands = useMemo(() => (lostAt === null ? guests.filter(({ hand }) => hand) : NOBODY), [lostAt, guests])
  return { view, guests, hands, lastSeen, canAct }
}

const wholeView = (view: SeatView) => view
