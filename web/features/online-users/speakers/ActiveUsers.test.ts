import { expect, test } from 'vitest'
import { fittingIn } from './ActiveUsers.tsx'

test.each([
  [1440, 3, 3],
  [660, 3, 3], // exactly three, and no "+n"
  [659, 3, 2],
  [659, 2, 2],
  [300, 5, 1], // one at least, however narrow
  [0, 0, 0],
])('a line of %i px shows of %i speakers %i', (width, count, fitting) => {
  expect(fittingIn(width, count)).toBe(fitting)
})
