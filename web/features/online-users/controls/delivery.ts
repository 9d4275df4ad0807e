import { HEARTBEAT_MS } from '../../../../shared/room-events.ts'
import type { Delivery as Answered, RoomUser } from '../../../../shared/room-users.ts'

/** A phone that has not answered within its heartbeat, and a little, was not reached. */
export const NOT_REACHED_AFTER_MS = HEARTBEAT_MS + 2000
/** News of a delivery is old after this. */
export const DELIVERY_SHOWN_MS = 30_000

type Kind = 'mute' | 'unmute'

/** One Mute All or Unmute All on its way to the phones. */
export interface Delivery {
  readonly kind: Kind
  readonly targeted: number
  readonly answeredAt: number
  readonly sentTo: readonly string[]
  readonly acknowledged: ReadonlySet<string>
  readonly waiting: number
  /** Those that have not answered, and were asleep when last looked at: nobody waits for them. */
  readonly asleep: number
  readonly lost: number
}

export function startDelivery(kind: Kind, { targeted }: Answered, users: readonly RoomUser[], now: number): Delivery {
  const sentTo = users.map(({ id }) => id)
  const asleep = Math.min(targeted, users.filter((user) => user.asleep).length)
  const waiting = targeted - asleep
  return { kind, targeted, answeredAt: now, sentTo, acknowledged: new Set(), waiting, asleep, lost: 0 }
}

const commandsOf: Record<Kind, readonly string[]> = { mute: ['mute', 'mute-all'], unmute: ['unmute', 'unmute-all'] }

/** Counts again after a poll; one that set out before the command was answered knows nothing of it. */
export function observe(delivery: Delivery, users: readonly RoomUser[], polledAt: number): Delivery {
  if (polledAt < delivery.answeredAt) return delivery
  const isWaiting = ({ pending_command }: RoomUser) =>
    pending_command !== null && commandsOf[delivery.kind].includes(pending_command.type)

  const acknowledged = new Set(delivery.acknowledged)
  for (const user of users) if (!isWaiting(user)) acknowledged.add(user.id)
  const online = new Set(users.map(({ id }) => id))
  const lost = delivery.sentTo.filter((id) => !online.has(id) && !acknowledged.has(id)).length
  const unanswered = users.filter(isWaiting)
  const asleep = unanswered.filter((user) => user.asleep).length
  return { ...delivery, acknowledged, waiting: unanswered.length - asleep, asleep, lost }
}

/** What to say of it; `settled` when nothing more is awaited. */
export function deliveryNews(delivery: Delivery, now: number): { text: string; settled: boolean } | null {
  const { kind, targeted, waiting, asleep, lost, answeredAt } = delivery
  if (targeted === 0 || now - answeredAt > DELIVERY_SHOWN_MS) return null

  const done = Math.max(0, targeted - waiting - asleep - lost)
  const soFar = `${kind === 'mute' ? 'Muted' : 'Unmuted'} ${done} of ${targeted}`
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
