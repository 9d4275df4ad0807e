import { describe, expect, test } from 'vitest'
import { keepOrder, mayClick, noteMoves } from './tile-order.ts'

const people = (...names: string[]) => names.map((username) => ({ id: username.toLowerCase(), username }))

describe('the order of tiles', () => {
  test.each([
    ['at first by name, numbers as numbers', [], people('Ravi 10', 'asha', 'Ravi 2'), ['asha', 'ravi 2', 'ravi 10']],
    ['newcomers go to the end', ['mina'], people('Asha', 'Mina', 'Bea'), ['mina', 'asha', 'bea']],
    ['who is away keeps the place', ['asha', 'bea', 'mina'], people('Mina', 'Asha'), ['asha', 'bea', 'mina']],
  ])('%s', (_, order, users, expected) => {
    expect(keepOrder(order, users)).toEqual(expected)
  })

  test('stays the same list when nobody is new', () => {
    const order = ['asha', 'bea']
    expect(keepOrder(order, people('Bea'))).toBe(order)
  })
})

describe('a click on a tile', () => {
  const start = noteMoves(new Map(), [], ['a', 'b', 'c'], 0)

  test.each([
    ['is ignored within 300 ms of the tile appearing', ['a', 'b', 'c'], 'a', 299, false],
    ['counts 300 ms after it appeared', ['a', 'b', 'c'], 'a', 300, true],
    ['counts when another tile behind it went', ['a', 'b'], 'b', 1010, true],
    ['is ignored when the tile has moved up', ['b', 'c'], 'c', 1299, false],
    ['counts 300 ms after the move', ['b', 'c'], 'c', 1300, true],
  ])('%s', (_, after, id, now, expected) => {
    expect(mayClick(noteMoves(start, ['a', 'b', 'c'], after, 1000), id, now)).toBe(expected)
  })
})
