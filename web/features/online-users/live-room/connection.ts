import { useDocumentVisibility } from '@mantine/hooks'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useNow } from '../../../lib/use-now.ts'
import type { LiveRoomStore } from './live-room-store.ts'

/** With neither stream nor poll for this long, what the page shows may be wrong. */
const STALE_AFTER_MS = 5000
/** A hidden tab neither polls nor listens; once visible it gets this long to catch up before it is called stale. */
const CATCH_UP_MS = 1500
const CHECK_MS = 250

export type Connection = 'live' | 'reconnecting' | 'stale'

/** Only `live` enables buttons; times are `performance.now()`. */
export function connectionState(lastContactAt: number, visibleSince: number, now: number): Connection {
  if (now - lastContactAt < STALE_AFTER_MS) return 'live'
  return now - visibleSince < CATCH_UP_MS ? 'reconnecting' : 'stale'
}

export function useConnection(store: LiveRoomStore): Connection {
  const isVisible = useDocumentVisibility() === 'visible'
  const [seen, setSeen] = useState({ isVisible, since: performance.now() })
  if (seen.isVisible !== isVisible) setSeen({ isVisible, since: performance.now() })
  const now = useNow(isVisible ? CHECK_MS : null)
  return useStore(store, ({ lastContactAt }) => connectionState(lastContactAt, seen.since, now))
}
