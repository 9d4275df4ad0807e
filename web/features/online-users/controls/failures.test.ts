import { expect, test } from 'vitest'
import { ApiError } from '../../../lib/api-client.ts'
import { failureText } from './failures.ts'

test.each([
  [
    new DOMException('Too late', 'TimeoutError'),
    ' Parley did not answer in time. It may still happen; this page shows it then.',
  ],
  [
    new TypeError('Failed to fetch'),
    ' There is no connection to Parley. It may still happen; this page shows it then.',
  ],
])('a failed action that had %o says whether it may still happen', (cause, words) => {
  const error = new ApiError(0, 'Network error. Please try again.', { cause })
  expect(failureText(error, 'Failed to mute users')).toBe(`Failed to mute users.${words}`)
})
