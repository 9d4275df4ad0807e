import { z } from 'zod'
import { answer } from './envelope.ts'

/** Orders the queue of raised hands. */
export const QueueOrder = z
  .enum(['first_come', 'least_spoken', 'fewest_turns'])
  .describe(
    'Whose turn it is next: `first_come` the hand that was raised first, `least_spoken` the user who has spoken least in ' +
      'this meeting, `fewest_turns` the user who has had the fewest turns in it. Equal ones go by when the hand was raised.',
  )
export type QueueOrder = z.infer<typeof QueueOrder>

export const FIRST_COME: QueueOrder = 'first_come'

export const QueueOrderBody = z.object({ queue_order: QueueOrder })
export const QueueOrderAnswer = answer(QueueOrderBody)

/** A raised hand, with what its user has had of the meeting. */
export interface QueuedHand {
  id: string
  raised_at: number // ms
  spoken_ms: number
  turns_taken: number
}

const FIRST: Record<QueueOrder, (hand: QueuedHand) => number> = {
  first_come: () => 0,
  least_spoken: ({ spoken_ms }) => spoken_ms,
  fewest_turns: ({ turns_taken }) => turns_taken,
}

/** Sorts the queue alike for the server, the console and the phone, so that they name the same user as the next. */
export function sortQueue<Item>(items: Item[], order: QueueOrder, handOf: (item: Item) => QueuedHand): Item[] {
  const first = FIRST[order]
  return items
    .map((item) => ({ item, hand: handOf(item) }))
    .sort(
      ({ hand: one }, { hand: other }) =>
        first(one) - first(other) || compareTimes(one.raised_at, other.raised_at) || (one.id < other.id ? -1 : 1),
    )
    .map(({ item }) => item)
}

/** A hand that has just been raised has no time yet, but Infinity. */
const compareTimes = (one: number, other: number) => (one === other ? 0 : one - other)
