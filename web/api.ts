import type { z } from 'zod'
import { Failure, type FieldError } from '../shared/errors.ts'
import { clearSession, currentSession, rememberPage } from './session/session.ts'
import { signInPath, site } from './site.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type ApiOptions = {
  signal?: AbortSignal
  /** Lets the call outlive the page, as a log out must. */
  keepalive?: boolean
  /** The same key for a repeat of the same act: the server then does it once. A fresh one by default. */
  idempotencyKey?: string
}

const TIMEOUT_MS = 15_000

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

/** Calls the API and parses the answer; anything but a success in the expected shape is thrown as an ApiError. */
export async function api<S extends z.ZodType>(
  schema: S,
  method: Method,
  path: string,
  body?: unknown,
  options: ApiOptions = {},
): Promise<z.output<S>> {
  const response = await send(method, path, body, options)
  return parsed(schema, response)
}

type Remembered = { etag: string; token: string | null; answer: unknown }
const remembered = new Map<string, Remembered>()

/** Leaves nothing of one session for the next. */
export function forgetAnswers() {
  remembered.clear()
}

/** A GET that costs nothing while nothing changed: the last answer is given again, as the same object, on a 304. */
export async function apiCached<S extends z.ZodType>(
  schema: S,
  path: string,
  options: ApiOptions = {},
): Promise<z.output<S>> {
  const { token } = currentSession()
  const last = remembered.get(path)
  const usable = last && last.token === token ? last : null
  const response = await send('GET', path, undefined, options, usable ? { 'If-None-Match': usable.etag } : {})
  // What is remembered under this path passed this very schema: each path has one query.
  if (response.status === 304 && usable) return usable.answer as z.output<S>

  const answer = await parsed(schema, response)
  const etag = response.headers.get('etag')
  if (etag) remembered.set(path, { etag, token, answer })
  else remembered.delete(path)
  return answer
}

async function send(
  method: Method,
  path: string,
  body: unknown,
  options: ApiOptions,
  extra: Record<string, string> = {},
): Promise<Response> {
  const { token } = currentSession()
  const headers = new Headers({ Accept: 'application/json', ...extra })
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (method !== 'GET') headers.set('Idempotency-Key', options.idempotencyKey ?? newKey())

  const limit = AbortSignal.timeout(TIMEOUT_MS)
  let response: Response
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
      keepalive: options.keepalive ?? false,
      credentials: 'omit',
      cache: 'no-store', // else the browser answers a 304 by itself, out of its own cache
    })
  } catch (cause) {
    if (options.signal?.aborted) throw cause // given up by the caller, who knows
    throw new ApiError(0, 'Network error. Please try again.', { cause })
  }
  if (response.status === 401 && !path.startsWith('/auth/verify')) endSession(token)
  return response
}

async function parsed<S extends z.ZodType>(schema: S, response: Response): Promise<z.output<S>> {
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) {
    const failure = Failure.safeParse(body)
    const { message = '', code, errors } = failure.data ?? {}
    throw new ApiError(response.status, message, { code, errors })
  }
  const read = schema.safeParse(body)
  if (!read.success) throw new ApiError(response.status, '', { code: 'unexpected_answer', cause: read.error })
  return read.data
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
