import { type ErrorCode, type Failure, statusOf } from '../shared/errors.ts'
import type { FieldError } from '../shared/phone/failure.ts'
import type { PhoneSessionEnd, SessionEnd } from '../shared/session-end.ts'

/** Fields of an answer that say more about its code. */
type FailureDetails = Pick<Failure, 'last_act' | 'confirm' | 'second_factor' | 'attempts_left' | 'by' | 'since'>

/** A failure to show to the caller. Any other error is a bug and is answered as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors?: FieldError[]
  readonly retryAfterSeconds?: number
  readonly reason?: SessionEnd | PhoneSessionEnd
  readonly hostPresence?: 'absent' | 'unknown'
  readonly details?: FailureDetails

  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & Pick<AppError, 'errors' | 'retryAfterSeconds' | 'reason' | 'hostPresence' | 'details'>,
  ) {
    super(message, options)
    this.code = code
    this.errors = options?.errors
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.reason = options?.reason
    this.hostPresence = options?.hostPresence
    this.details = options?.details
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
