import { AppError } from '../errors.ts'

/** The kinds of failure that Parley treats differently. */
export type ZoomFault =
  | 'grant' // the refresh token is dead: only a new connection helps
  | 'token' // the access token is refused
  | 'scope'
  | 'refused' // by plan, permission or a rule of Zoom's
  | 'invalid' // the call is malformed
  | 'not_found'
  | 'rate_limit'
  | 'busy' // not sent, because too many of our own calls are queued
  | 'unavailable' // Zoom failed or is unreachable: a retry may help

interface Details {
  status?: number
  code?: number
  /** Zoom's human-readable message, if it sent one. */
  zoomMessage?: string
  retryAfterMs?: number | null
  isDaily?: boolean
  trackingId?: string | null
  cause?: unknown
}

export class ZoomError extends Error {
  readonly fault: ZoomFault
  readonly details: Details

  constructor(fault: ZoomFault, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.fault = fault
    this.details = details
  }
}

export function isFault(error: unknown, ...faults: ZoomFault[]): error is ZoomError {
  return error instanceof ZoomError && faults.includes(error.fault)
}

export const RECONNECT_MESSAGE = 'Zoom authorization failed. Please reconnect Zoom and try again.'

/** Converts a ZoomError to the error of our API. Other errors pass unchanged. */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof ZoomError)) return error
  const needsConsent = ['grant', 'token', 'scope'].includes(error.fault)
  if (needsConsent) return new AppError('zoom_reconnect', RECONNECT_MESSAGE, { cause: error })
  const { zoomMessage, retryAfterMs } = error.details
  if (error.fault === 'busy')
    return new AppError('busy', 'Many requests are waiting for Zoom at the moment. Please try again shortly.', {
      cause: error,
      retryAfterSeconds: Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000)),
    })
  const message = zoomMessage
    ? `Zoom says: ${zoomMessage}`
    : 'Zoom does not answer at the moment. Please try again in a minute.'
  return new AppError('zoom_unavailable', message, { cause: error })
}

/** Reduces a message to one line of plain text: Zoom's may contain markup, another user's name, or a whole page. */
export function plainText(text: string): string {
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
}
