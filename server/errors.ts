import { type ErrorCode, type FieldError, statusOf } from '../shared/errors.ts'
import type { PhoneSessionEnd, SessionEnd } from '../shared/session-end.ts'

/** A failure to show to the caller. Any other error is a bug and is answered as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors?: FieldError[]
  readonly retryAfterSeconds?: number
  readonly reason?: SessionEnd | PhoneSessionEnd
  readonly hostPresence?: 'absent' | 'unknown'

  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & Pick<AppError, 'errors' | 'retryAfterSeconds' | 'reason' | 'hostPresence'>,
  ) {
    super(message, options)
    this.code = code
    this.errors = options?.errors
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.reason = options?.reason
    this.hostPresence = options?.hostPresence
  }

  get status(): number {
    return statusOf[this.code]
  }
}

export function invalidField(path: string, msg: string): AppError {
  return new AppError('invalid_input', msg, { errors: [{ path, msg }] })
}

export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} not found`)
}
