import { type ErrorCode, type FieldError, statusOf } from '../shared/errors.ts'

/** A failure the caller may be told about. Anything else that is thrown is a bug and reads as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors?: FieldError[]
  readonly retryAfterSeconds?: number
  readonly hostPresence?: 'absent' | 'unknown'

  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & Pick<AppError, 'errors' | 'retryAfterSeconds' | 'hostPresence'>,
  ) {
    super(message, options)
    this.code = code
    this.errors = options?.errors
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.hostPresence = options?.hostPresence
  }

  get status(): number {
    return statusOf[this.code]
  }
}

/** A rule of one field that the caller broke. */
export function invalidField(path: string, msg: string): AppError {
  return new AppError('invalid_input', msg, { errors: [{ path, msg }] })
}
