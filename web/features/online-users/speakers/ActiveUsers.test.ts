import { expect, test } from 'vitest'
import { placesIn } from './ActiveUsers.tsx'

test.each([
  [918, 4, 209], // 4 speakers, 3 gaps, and the "+n"
  [902, 3, 276], // too narrow for 4 by a little: the others get the room
  [400, 1, 338],
  [200, 1, 138], // one at least, however narrow
])('a line of %i px has places for %i speakers, of %i px each', (width, count, size) => {
  expect(placesIn(width)).toEqual({ count, size })
})
