import { expect, test } from 'vitest'
import { formatSize, formatUsedOfLimit } from './format-size.ts'

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
  [0, 5, '0 of 5 GB'],
  [0.03, 25, '30.7 MB of 25 GB'],
  [1.234, 5, '1.2 GB of 5 GB'],
])('%f of %i GB read as %s', (used, limit, text) => {
  expect(formatUsedOfLimit(used, limit)).toBe(text)
})
