import { expect, test } from 'vitest'
import { formatDuration } from './recording-format.ts'

test.each([
  [0, '0h 0m'],
  [59, '0h 59m'],
  [60, '1h 0m'],
  [125, '2h 5m'],
])('%i minutes read as %s', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text)
})
