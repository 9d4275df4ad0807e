import { useCallback, useEffect, useState } from 'react'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { type Delivery, observe, startDelivery } from './delivery.ts'
import type { StartDelivery } from './mute-all.ts'

/** Follows the last Mute All or Unmute All to the phones, from poll to poll. */
export function useDelivery(store: LiveRoomStore) {
  const [delivery, setDelivery] = useState<Delivery | null>(null)

  useEffect(() => {
    return store.subscribe(() => {
      const { users, polledAt } = store.current()
      if (polledAt !== null) setDelivery((sent) => sent && observe(sent, users, polledAt))
    })
  }, [store])

  const start: StartDelivery = useCallback((kind, answered, users) => {
    setDelivery(startDelivery(kind, answered, users, performance.now()))
  }, [])

  return { delivery, startDelivery: start }
}
