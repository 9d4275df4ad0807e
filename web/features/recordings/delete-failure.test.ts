import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { deleteFailure } from './delete-failure.ts'

test.each([
  [404, 'Not found', 'Recording not found - it may have been already deleted'],
  [403, 'Zoom said no', 'Zoom authorization failed. Please reconnect Zoom and try again.'],
  [401, '', 'Zoom authorization failed. Please reconnect Zoom and try again.'],
  [502, 'Zoom is busy', 'Failed to delete recording: Zoom is busy'],
  [500, '', 'Failed to delete recording: The server could not do it. Please try again.'],
  [0, 'ignored', 'Failed to delete recording: Network error. Please try again.'],
])('a deletion refused with %i', (status, message, text) => {
  expect(deleteFailure(new ApiError(status, message))).toBe(text)
})
