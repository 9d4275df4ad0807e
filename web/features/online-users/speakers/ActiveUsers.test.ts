import { expect, test } from 'vitest'
import { fitSpeakers } from './ActiveUsers.tsx'

test.each([
  [824, 3, 250], // 3 speakers, 2 gaps, and the "+n"
  [820, 2, 376], // a little too narrow for 3: the others get the room
  [1200, 3, 375], // never more than 3 in a line, so that a long name has room
  [400, 1, 338],
  [200, 1, 138], // at least one, however narrow
])('a line of %i px has places for %i speakers, of %i px each', (width, count, size) => {
  expect(fitSpeakers(width)).toEqual({ count, size })
})
