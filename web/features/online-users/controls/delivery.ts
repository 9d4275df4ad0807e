import { useCallback, useEffect, useState } from 'react'
import { HEARTBEAT_MS } from '../../../../shared/room-events.ts'
import type { Delivery, RoomUser } from '../../../../shared/room-users.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import type { MuteAllAction, StartDelivery } from './mute-all.ts'

/** A phone that has not acknowledged within its heartbeat and a margin was not reached. */
export const NOT_REACHED_AFTER_MS = HEARTBEAT_MS + 2000
export const DELIVERY_SHOWN_MS = 30_000

/** The progress of one Mute All or Unmute All to the phones. */
export interface DeliveryProgress {
  readonly action: MuteAllAction
  readonly targeted: number
  readonly answeredAt: number
  readonly sentTo: readonly string[]
  readonly acknowledged: ReadonlySet<string>
  readonly waiting: number
  /** Phones that have not acknowledged and are asleep; they do not count as waiting. */
  readonly asleep: number
  readonly lost: number
}

export function startDelivery(
  action: MuteAllAction,
  { targeted }: Delivery,
  users: readonly RoomUser[],
  now: number,
): DeliveryProgress {
  const sentTo = users.map(({ id }) => id)
  const asleep = Math.min(targeted, users.filter((user) => user.asleep).length)
  const waiting = targeted - asleep
  return { action, targeted, answeredAt: now, sentTo, acknowledged: new Set(), waiting, asleep, lost: 0 }
}

const commandsOf: Record<MuteAllAction, readonly string[]> = {
  mute: ['mute', 'mute-all'],
  unmute: ['unmute', 'unmute-all'],
}

/** Counts again after a poll; a poll sent before the command was answered does not include it. */
export function updateDelivery(
  delivery: DeliveryProgress,
  users: readonly RoomUser[],
  polledAt: number,
): DeliveryProgress {
  if (polledAt < delivery.answeredAt) return delivery
  const isWaiting = ({ pending_command }: RoomUser) =>
    pending_command !== null && commandsOf[delivery.action].includes(pending_command.type)

  const acknowledged = new Set(delivery.acknowledged)
  for (const user of users) if (!isWaiting(user)) acknowledged.add(user.id)
  const online = new Set(users.map(({ id }) => id))
  const lost = delivery.sentTo.filter((id) => !online.has(id) && !acknowledged.has(id)).length
  const unanswered = users.filter(isWaiting)
  const asleep = unanswered.filter((user) => user.asleep).length
  return { ...delivery, acknowledged, waiting: unanswered.length - asleep, asleep, lost }
}

/** `settled`: no more acknowledgements are expected. */
export function deliveryStatus(delivery: DeliveryProgress, now: number): { text: string; settled: boolean } | null {
  const { action, targeted, waiting, asleep, lost, answeredAt } = delivery
  if (targeted === 0 || now - answeredAt > DELIVERY_SHOWN_MS) return null

  const done = Math.max(0, targeted - waiting - asleep - lost)
  const soFar = `${action === 'mute' ? 'Muted' : 'Unmuted'} ${done} of ${targeted}`
  const notAnswering = asleep > 0 ? `, ${asleep} not answering` : ''
  const late = now - answeredAt >= NOT_REACHED_AFTER_MS
  if (waiting > 0 && !late) return { text: `${soFar}, waiting for ${phones(waiting)}${notAnswering}`, settled: false }
  if (waiting + lost > 0) return { text: `${soFar}, ${waiting + lost} not reached${notAnswering}`, settled: true }
  if (asleep > 0) return { text: soFar + notAnswering, settled: true }
  return { text: targeted === 1 ? '1 phone acknowledged' : `All ${targeted} phones acknowledged`, settled: true }
}

function phones(count: number) {
  return count === 1 ? '1 phone' : `${count} phones`
}

export function useDelivery(store: LiveRoomStore) {
  const [delivery, setDelivery] = useState<DeliveryProgress | null>(null)

  useEffect(() => {
    return store.subscribe(({ users, polledAt }) => {
      if (polledAt !== null) setDelivery((sent) => sent && updateDelivery(sent, users, polledAt))
    })
  }, [store])

  const start: StartDelivery = useCallback((action, answer, users) => {
    setDelivery(startDelivery(action, answer, users, performance.now()))
  }, [])

  return { delivery, startDelivery: start }
}
