import { useCallback, useEffect, useState } from 'react'
import type { Delivery as Answered } from '../../shared/room-users.ts'
import { type Delivery, observe, startDelivery } from './delivery.ts'
import type { LiveRoom } from './live-room.ts'

/** Follows the last Mute All or Unmute All to the phones, from poll to poll. */
export function useDelivery({ users, polledAt }: LiveRoom) {
  const [delivery, setDelivery] = useState<Delivery | null>(null)

  useEffect(() => {
    if (polledAt !== null) setDelivery((sent) => sent && observe(sent, users, polledAt))
  }, [users, polledAt])

  const start = useCallback((kind: Delivery['kind'], answered: Answered, users: LiveRoom['users']) => {
    setDelivery(startDelivery(kind, answered, users, performance.now()))
  }, [])

  return { delivery, startDelivery: start }
}
