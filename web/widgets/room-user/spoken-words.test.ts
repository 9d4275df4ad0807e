import { expect, test } from 'vitest'
import { spokenMinutes, spokenTime } from './spoken-words.ts'

test.each([
  [0, null, '0 s'],
  [400, null, '0 s'],
  [1_000, '<1 min', '1 s'],
  [59_400, '<1 min', '59 s'],
  [59_600, '1 min', '1 min 0 s'],
  [252_000, '4 min', '4 min 12 s'],
  [7_260_000, '121 min', '121 min 0 s'],
])('%i ms are "%s", and "%s" in full', (ms, short, long) => {
  expect([spokenMinutes(ms), spokenTime(ms)]).toEqual([short, long])
})
