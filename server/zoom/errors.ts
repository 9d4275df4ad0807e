import { AppError } from '../errors.ts'

/** Why Zoom did not do what it was asked to, as far as it makes a difference to us. */
export type ZoomFault =
  | 'grant' // the refresh token is dead: only connecting again helps
  | 'token' // the access token is not taken
  | 'scope'
  | 'refused' // plan, permission or a rule of Zoom's
  | 'invalid' // we asked wrongly
  | 'not_found'
  | 'rate_limit'
  | 'busy' // not asked, since too many of our own calls wait for their turn
  | 'unavailable' // Zoom is at fault, or out of reach: trying again may help

interface Details {
  status?: number
  code?: number
  /** Zoom's own words; absent where it sent none that a person should see. */
  words?: string
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

export const RECONNECT = 'Zoom authorization failed. Please reconnect Zoom and try again.'

/** What of Zoom's failure the caller may know. Other errors pass as they are. */
export function asAppError(error: unknown): unknown {
  if (!(error instanceof ZoomError)) return error
  const needsConsent = ['grant', 'token', 'scope'].includes(error.fault)
  if (needsConsent) return new AppError('zoom_reconnect', RECONNECT, { cause: error })
  const { words, retryAfterMs } = error.details
  if (error.fault === 'busy')
    return new AppError('busy', 'Many people are waiting for Zoom at the moment. Please try again shortly.', {
      cause: error,
      retryAfterSeconds: Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000)),
    })
  const message = words ? `Zoom says: ${words}` : 'Zoom does not answer at the moment. Please try again in a minute.'
  return new AppError('zoom_unavailable', message, { cause: error })
}

/** Zoom's words as plain text of one line: they may carry markup, a stranger's name, or a page. */
export function plainWords(text: string): string {
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
}
