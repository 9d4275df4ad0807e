import { expect, test } from 'vitest'
import { CallFailure } from '../../../shared/phone/call.ts'
import { signInProblemOf } from './sign-in-problem.ts'

test.each([
  ['wrong_credentials', 400, 'problem.wrong_credentials'],
  ['device_mismatch', 403, 'problem.device_mismatch'],
  ['subscription_inactive', 403, 'problem.subscription_inactive'],
  ['subscription_cancelled', 403, 'problem.subscription_cancelled'],
  ['room_stopped', 403, 'problem.room_stopped'],
  ['user_inactive', 403, 'problem.user_inactive'],
  ['link_invalid', 400, 'problem.link_invalid'],
  ['busy', 503, 'problem.busy'],
  ['a code of a later release', 403, 'problem.unexpected'],
])('%s has words of its own', (code, status, key) => {
  expect(signInProblemOf(new CallFailure(status, 'in English', { code }))).toEqual({ key, code, waitSeconds: null })
})

test('too many tries say how long to wait', () => {
  const error = new CallFailure(429, 'in English', { code: 'too_many', retryAfterMs: 6_000 })
  expect(signInProblemOf(error)).toMatchObject({ key: 'problem.too_many', waitSeconds: 6 })
})

test('no answer is a matter of the network, and an unreadable one is not', () => {
  expect(signInProblemOf(new Error('cannot be reached')).key).toBe('problem.network')
  expect(signInProblemOf(new SyntaxError('Unexpected token <')).key).toBe('problem.unexpected')
})
