import { AppError } from '../../errors.ts'

export const TOO_MANY_ATTEMPTS = 'Too many attempts. Please wait a moment and try again.'

const SHORT_WAIT_MS = 2_000

/** Every sign-in limit throws the same error, which reveals nothing about the account. */
export function tooManyAttempts(waitMs = SHORT_WAIT_MS): AppError {
  return new AppError('too_many', TOO_MANY_ATTEMPTS, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}
