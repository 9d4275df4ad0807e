import type { QueueOrder } from '../../../shared/queue-order.ts'

export const ORDER_WORDS: Record<QueueOrder, string> = {
  first_come: 'first come, first served',
  least_spoken: 'who has spoken least',
  fewest_turns: 'one turn each until all have spoken',
}
