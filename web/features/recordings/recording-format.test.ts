import { expect, test } from 'vitest'
import { formatDuration, formatSize } from './recording-format.ts'

test.each([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1023, '1023 Bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [150_000, '146 KB'],
  [1024 ** 2 - 1, '1 MB'],
  [1024 ** 2, '1 MB'],
  [25.25 * 1024 ** 2, '25.3 MB'],
  [1024 ** 3, '1 GB'],
  [5000 * 1024 ** 3, '5000 GB'],
])('%i bytes read as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

test.each([
  [0, '0h 0m'],
  [59, '0h 59m'],
  [60, '1h 0m'],
  [125, '2h 5m'],
])('%i minutes read as %s', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text)
})
