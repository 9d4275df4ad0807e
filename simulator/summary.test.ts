import { expect, test } from 'vitest'
import { medianOf } from './summary.ts'

test.each([
  [[], null],
  [[7], 7],
  [[9, 1, 5], 5],
  [[10, 1, 4, 2], 3],
])('the median of %j is %j', (values, median) => {
  expect(medianOf(values)).toBe(median)
})
