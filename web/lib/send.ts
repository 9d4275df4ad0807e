import type { FieldError } from '../../shared/errors.ts'
import { isRecord } from './is-record.ts'
import { clearSession, currentSession, rememberPage } from './session/session.ts'
import { signInPath, site } from './site.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type ApiOptions = {
  signal?: AbortSignal
  /** Lets the call outlive the page, as a log out must. */
  keepalive?: boolean
  /** The same key for a repeat of the same act: the server then does it once. A fresh one by default. */
  idempotencyKey?: string
  /** Another token than the session's, as when its owner is still to be asked for. */
  token?: string
  /** Longer than a call may take, as for a file. */
  limitMs?: number
}

const TIMEOUT_MS = 15_000
/** Who makes these calls decides what a refusal of the token means. */
const TOKEN_QUESTIONS = ['/auth/verify', '/auth/claim']

/** A call that did not succeed. `status` 0: no answer came at all. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly errors: FieldError[]

  constructor(
    status: number,
    message: string,
    options: { code?: string; errors?: FieldError[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ApiError'
    this.status = status
    this.code = options.code
    this.errors = options.errors ?? []
  }
}

/** The server's own words where it had any, else the fixed text. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.status > 0 && error.message ? error.message : fallback
}

/** The server's words for one field of a form, if it had any. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.errors.map(({ path, msg }) => [path, msg]))
}

/** The only place that asks the network. Knows nothing of schemas, so that the pages before sign-in stay light. */
export async function send(
  method: Method,
  path: string,
  body: unknown,
  options: ApiOptions = {},
  extra: Record<string, string> = {},
): Promise<Response> {
  const token = options.token ?? currentSession().token
  const headers = new Headers({ Accept: 'application/json', ...extra })
  if (token) headers.set('Authorization', `Bearer ${token}`)
  const isForm = body instanceof FormData // which names its own type
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json')
  if (method !== 'GET') headers.set('Idempotency-Key', options.idempotencyKey ?? newKey())

  const limit = AbortSignal.timeout(options.limitMs ?? TIMEOUT_MS)
  let response: Response
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers,
      body: body === undefined || isForm ? body : JSON.stringify(body),
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
      keepalive: options.keepalive ?? false,
      credentials: 'omit',
      cache: 'no-store', // else the browser answers a 304 by itself, out of its own cache
    })
  } catch (cause) {
    if (options.signal?.aborted) throw cause // given up by the caller, who knows
    throw new ApiError(0, 'Network error. Please try again.', { cause })
  }
  if (response.status === 401 && !TOKEN_QUESTIONS.includes(path)) endSession(token)
  return response
}

/** What a call answered; anything but a success is thrown, in the server's words. */
export async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body
  const { message, ...more } = readFailure(body)
  throw new ApiError(response.status, message, more)
}

/** The answer is a success, and in another shape than was agreed. */
export function unexpectedAnswer(response: Response, cause?: unknown): ApiError {
  return new ApiError(response.status, '', { code: 'unexpected_answer', cause })
}

function readFailure(body: unknown): { message: string; code?: string; errors?: FieldError[] } {
  if (!isRecord(body) || body.success !== false || typeof body.message !== 'string') return { message: '' }
  const { message, code, errors } = body
  return {
    message,
    ...(typeof code === 'string' && { code }),
    ...(Array.isArray(errors) && { errors: errors.filter(isFieldError) }),
  }
}

function isFieldError(error: unknown): error is FieldError {
  return isRecord(error) && typeof error.path === 'string' && typeof error.msg === 'string'
}

/** A 401 ends the session it was sent with, and no later one; a fresh page load then drops all that was shown. */
function endSession(token: string | null) {
  if (!token || currentSession().token !== token) return
  rememberPage(window.location.pathname + window.location.search)
  clearSession()
  window.location.replace(signInPath(site.site))
}

/** `randomUUID` is missing on plain http unless the name is localhost. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
