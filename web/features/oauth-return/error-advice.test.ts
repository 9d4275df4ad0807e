import { expect, test } from 'vitest'
import { errorAdvice } from './error-advice.ts'

const CODES = [
  'email_mismatch',
  'access_denied',
  'already_connected',
  'invalid_request',
  'server_error',
  'invalid_scope',
  'unknown',
]

test('each kind of failure has advice of its own', () => {
  const firsts = CODES.map((code) => errorAdvice(code)[0])
  expect(new Set(firsts).size).toBe(CODES.length)
})

test.each([
  ['email_mismatch', /sign out of the account that is open there/],
  ['access_denied', /press Allow/],
  ['already_connected', /Disconnect/],
  ['invalid_request', /for ten minutes/],
  ['server_error', /Wait a minute/],
  ['temporarily_unavailable', /Wait a minute/],
  ['invalid_client', /Set up Zoom/],
  ['unknown', /pop-up/],
  ['toString', /pop-up/],
])('the advice for %s matches %s', (code, expected) => {
  expect(errorAdvice(code).join(' ')).toMatch(expected)
})
