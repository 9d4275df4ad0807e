import { describe, expect, test } from 'vitest'
import { isSettled, trackMoves } from './use-click-guard.ts'

describe('a click on a tile', () => {
  const start = trackMoves(new Map(), [], ['a', 'b', 'c'], 0)

  test.each([
    ['is ignored within 500 ms of the tile appearing', ['a', 'b', 'c'], 'a', 499, false],
    ['counts 500 ms after it appeared', ['a', 'b', 'c'], 'a', 500, true],
    ['counts when another tile behind it went', ['a', 'b'], 'b', 1010, true],
    ['is ignored when the tile has moved up', ['b', 'c'], 'c', 1499, false],
    ['counts 500 ms after the move', ['b', 'c'], 'c', 1500, true],
  ])('%s', (_, after, id, now, expected) => {
    expect(isSettled(trackMoves(start, ['a', 'b', 'c'], after, 1000), id, now)).toBe(expected)
  })
})
