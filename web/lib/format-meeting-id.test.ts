import { expect, test } from 'vitest'
import { formatMeetingId } from './format-meeting-id.ts'

test.each([
  ['123456789', '123 456 789'],
  ['1234567890', '123 456 7890'],
  ['12345678901', '123 4567 8901'],
  ['123', '123'],
  ['a-name', 'a-name'],
])('%s reads as %s', (id, text) => {
  expect(formatMeetingId(id)).toBe(text)
})
