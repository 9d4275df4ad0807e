import { expect, test } from 'vitest'
import { readExtension } from './read-extension.ts'

test.each([
  ['extend anna', 'anna', [1, 3, 12]],
  ['anna extend', 'anna', [1, 3, 12]],
  ['Extend Anna by', 'Anna', [1, 3, 12]],
  ['extend anna lee by 3 months', 'anna lee', [3]],
  ['3 months extend anna', 'anna', [3]],
  ['anna by 3 mon extend', 'anna', [3]],
  ['extend anna 1', 'anna', [1, 12]],
  ['extend anna by 1 month', 'anna', [1]],
  ['extend anna by 1 year', 'anna', [12]],
  ['extend anna by 6 months', 'anna', []],
  ['extend bygone', 'bygone', [1, 3, 12]],
] as const)('%s', (words, name, months) => expect(readExtension(words)).toEqual({ name, months }))

test.each(['extend', 'extend by 3 months', 'extended anna', 'anna'])('“%s” names nobody to extend', (words) =>
  expect(readExtension(words)).toBeNull(),
)
