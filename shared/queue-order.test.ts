import { expect, test } from 'vitest'
import { type QueuedHand, type QueueOrder, sortQueue } from './queue-order.ts'

const hands: QueuedHand[] = [
  { id: 'd', raised_at: 1, spoken_ms: 9_000, turns_taken: 1 },
  { id: 'c', raised_at: 2, spoken_ms: 0, turns_taken: 2 },
  { id: 'b', raised_at: 3, spoken_ms: 9_000, turns_taken: 0 },
  { id: 'a', raised_at: 4, spoken_ms: 0, turns_taken: 1 },
]
const ids = (list: QueuedHand[], order: QueueOrder) => sortQueue(list, order, (hand) => hand).map(({ id }) => id)

test.each([
  ['first_come', ['d', 'c', 'b', 'a']],
  ['least_spoken', ['c', 'a', 'd', 'b']],
  ['fewest_turns', ['b', 'd', 'a', 'c']],
] as const)('%s is %j, in whatever order the hands are listed', (order, expected) => {
  expect(ids(hands, order)).toEqual(expected)
  expect(ids(hands.toReversed(), order)).toEqual(expected)
})

test('hands of one moment go by their users, so that all agree, and one without a time comes last', () => {
  const at = (id: string, raised_at: number): QueuedHand => ({ id, raised_at, spoken_ms: 0, turns_taken: 0 })
  const list = [at('z', Infinity), at('y', 5), at('x', Infinity), at('w', 5)]
  for (const listed of [list, list.toReversed()]) expect(ids(listed, 'first_come')).toEqual(['w', 'y', 'x', 'z'])
})
