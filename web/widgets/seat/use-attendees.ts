import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { SeatStore } from './seat-store.ts'
import type { SeatView } from './seat-view.ts'

/** Milliseconds between two readings while no stream is open, and while one is, which says when a seat is taken. */
const READ_MS = { alone: 5_000, streaming: 60_000 }
const READ_WITHOUT_SEAT_MS = { alone: 30_000, streaming: false as const }

const attendees = (store: SeatStore) =>
  queryOptions({
    queryKey: ['attendees'],
    queryFn: async ({ signal }) => {
      await store.read(signal)
      return null
    },
    retry: false, // the next reading is the retry
  })

/** Reads the seat and its attendees: first, after each gap in the stream, and regularly while there is none. */
export function useReadAttendees(
  store: SeatStore,
  { isOn = true, isStreaming }: { isOn?: boolean; isStreaming: boolean },
) {
  const isStale = useStore(store, hasGap)
  const everyMs = useStore(store, hasNoSeat) ? READ_WITHOUT_SEAT_MS : READ_MS
  const client = useQueryClient()
  useQuery({
    ...attendees(store),
    enabled: isOn,
    refetchInterval: isStreaming ? everyMs.streaming : everyMs.alone,
    refetchIntervalInBackground: true, // its seat may be this page's
  })
  useEffect(() => {
    if (isOn && (isStreaming || isStale)) void client.invalidateQueries({ queryKey: ['attendees'] })
  }, [client, isOn, isStreaming, isStale])
}

const hasGap = ({ isStale }: SeatView) => isStale
const hasNoSeat = ({ isRead, seat }: SeatView) => isRead && seat.state === 'off'
