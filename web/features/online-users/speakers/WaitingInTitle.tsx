import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useRights } from '../../../lib/session/rights.ts'
import { phoneRequests } from '../../../queries/phone-requests.ts'
import type { LiveRoomState } from '../live-room/live-room.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { useGuests } from '../live-room/use-guests.ts'

const countHands = ({ users }: LiveRoomState) => users.reduce((count, user) => count + Number(user.wants_to_speak), 0)

/** Counts in the tab's title the users who wait for the host: raised hands, and new phones. */
export function WaitingInTitle({ store, title }: { store: LiveRoomStore; title: string }) {
  const hands = useStore(store, countHands)
  const { managesUsers } = useRights()
  const { data: phones = [] } = useQuery({ ...phoneRequests, enabled: managesUsers })
  const guestHands = useGuests(store).guests.filter(({ hand }) => hand).length
  const waiting = hands + guestHands + phones.length
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Parley`
  }, [waiting, title])
  return null
}
