import { z } from 'zod'
import { plainText, ZoomError, type ZoomFault } from './errors.ts'

const Failure = z.object({
  code: z.coerce.number().int(),
  message: z.string(),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .catch(undefined),
})

/**
 * Returns null for success. The code in the body takes precedence over the status: 400 covers a dead token as well as a
 * missing plan, and a refusal may come with 200.
 */
export function responseError(response: Response, json: unknown, now: number): ZoomError | null {
  const { status, headers } = response
  const trackingId = headers.get('x-zm-trackingid')
  const retry = retryAfterMs(headers.get('retry-after'), now)
  const read = Failure.safeParse(json)
  if (!read.success) {
    if (response.ok && typeof json !== 'string') return null
    const fault = status === 401 ? 'token' : status === 429 ? 'rate_limit' : 'unavailable'
    return new ZoomError(fault, `Zoom answered ${status} without a code`, { status, trackingId, retryAfterMs: retry })
  }

  const { code, message, errors } = read.data
  const fields = errors?.map(({ field, message }) => `${field}: ${message}`).join(', ')
  return new ZoomError(faultOf(status, code), `Zoom answered ${status} with code ${code}`, {
    status,
    code,
    zoomMessage: plainText(fields ? `${message} (${fields})` : message),
    trackingId,
    retryAfterMs: retry,
    isDaily: headers.get('x-ratelimit-type') === 'Daily-limit' || /daily/i.test(message),
  })
}

function faultOf(status: number, code: number): ZoomFault {
  switch (code) {
    case 124:
      return 'token'
    case 4700:
    case 4711:
      return 'scope'
    case 300:
      return 'invalid'
    case 3001:
    case 3301:
      return 'not_found'
    case 429:
    case 4001:
      return 'rate_limit'
  }
  if (status === 401) return 'token'
  if (status === 429) return 'rate_limit'
  return status >= 500 || status === 409 ? 'unavailable' : 'refused'
}

/** Builds the error of a success that does not match the call's schema. Its values stay out of the log. */
export function invalidResponse({ status, headers }: Response, error: z.ZodError): ZoomError {
  const paths = error.issues.map((issue) => issue.path.join('.') || 'the whole').join(', ')
  return new ZoomError('unavailable', `Zoom's answer could not be read at: ${paths}`, {
    status,
    trackingId: headers.get('x-zm-trackingid'),
  })
}

/** Returns milliseconds. Zoom sends an ISO 8601 time for its daily limits; the standard has seconds and HTTP dates. */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const time = /^\d{4}-|^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, time - now)
}

/** Parses JSON, or returns the text itself: Zoom's proxies may answer with a page of HTML or XML. */
export function readJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
