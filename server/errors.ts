import { type ErrorCode, type FieldError, statusOf } from '../shared/errors.ts'

/** A failure the caller may be told about. Anything else that is thrown is a bug and reads as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors?: FieldError[]
  readonly retryAfterSeconds?: number

  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & { errors?: FieldError[]; retryAfterSeconds?: number },
  ) {
    super(message, options)
    this.code = code
    this.errors = options?.errors
    this.retryAfterSeconds = options?.retryAfterSeconds
  }

  get status(): number {
    return statusOf[this.code]
  }
}

/** A rule of one field that the caller broke. */
export function invalidField(path: string, msg: string): AppError {
  return new AppError('invalid_input', msg, { errors: [{ path, msg }] })
}
