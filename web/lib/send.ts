import type { PasskeyOptions } from '../../shared/passkeys.ts'
import type { FieldError } from '../../shared/phone/failure.ts'
import { REQUEST_TIMEOUT } from '../../shared/request-timeout.ts'
import { isConfirmed } from './confirmation.ts'
import { isRecord } from './is-record.ts'
import { DOUBLE_PRESS_MS, sendOnce, withIdempotencyKey } from './once.ts'
import { readDate } from './server-clock.ts'
import { rememberPage } from './session/return-page.ts'
import { clearSession, currentSession, parseSignedOutReason, type SignedOutReason } from './session/session.ts'
import { signInPath, site } from './site.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type ApiOptions = {
  signal?: AbortSignal
  /** Lets the call outlive the page, as a logout must. */
  keepalive?: boolean
  /** Pass the same key to repeat an action that the server should do only once; a new key by default. */
  idempotencyKey?: string
  /**
   * The call adds something, or names the state that it changes: a repeat of an unanswered call has the same key, so
   * that it neither adds twice nor is refused because of its own change.
   */
  adds?: boolean
  /**
   * The call sets a state that another console may have changed, so a second press is sent too, after the first one.
   */
  mayRepeat?: boolean
  /** The answer holds a password: it is not kept for a second press. */
  isSecret?: boolean
  /** Replaces the session's token. */
  token?: string
  /** Replaces the timeout of 15 s, for a file. */
  limitMs?: number
}

const TIMEOUT_MS = 15_000
/** The callers of these paths handle a 401 themselves. */
const TOKEN_CALLS = ['/auth/verify', '/auth/claim']
const FACTOR_REQUIRED = 'second_factor_required'

/** The second step that a sign-in waits for. */
export type SecondStepOffer = { challenge: string; methods: string[]; passkey_options?: PasskeyOptions | undefined }

/** `status` is 0 if there was no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly errors: FieldError[]
  /** The reason why the session has ended, for a 401. */
  readonly reason: SignedOutReason
  /** True for an action without an answer: it may have reached the server. */
  readonly mayStillHappen: boolean
  /** Finds a fault in the server's log. */
  readonly requestId: string | undefined
  readonly secondStep: SecondStepOffer | undefined
  /** The tries that a sign-in has left after a wrong second factor. */
  readonly attemptsLeft: number | undefined
  /** Names who has what the call wanted, and since when. */
  readonly holder: { by: string; since: string } | undefined
  /** The person who acted last on the room, for an action that was overtaken. */
  readonly lastActor: { id: string; name: string } | undefined

  constructor(
    status: number,
    message: string,
    options: Partial<
      Pick<
        ApiError,
        | 'code'
        | 'errors'
        | 'reason'
        | 'mayStillHappen'
        | 'requestId'
        | 'secondStep'
        | 'attemptsLeft'
        | 'holder'
        | 'lastActor'
        | 'cause'
      >
    > = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ApiError'
    this.status = status
    this.code = options.code
    this.errors = options.errors ?? []
    this.reason = options.reason ?? 'unknown'
    this.mayStillHappen = options.mayStillHappen ?? false
    this.requestId = options.requestId
    this.secondStep = options.secondStep
    this.attemptsLeft = options.attemptsLeft
    this.holder = options.holder
    this.lastActor = options.lastActor
  }
}

/** Returns the server's message, or the fallback; without an answer it adds the cause, and that an action may happen. */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback
  if (error.status > 0) return error.message || fallback
  const why = isUnansweredInTime(error) ? 'Parley did not answer in time.' : 'There is no connection to Parley.'
  const still = error.mayStillHappen ? ' It may still happen; this page shows it then.' : ''
  return `${fallback}${/[.!?]$/.test(fallback) ? '' : '.'} ${why}${still}`
}

/** True if the action may have been done: there was no answer, or a proxy's in its place. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

function isUnansweredInTime(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : null
  return cause instanceof DOMException && cause.name === 'TimeoutError'
}

/** Maps each field's path to the server's message. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.errors.map(({ path, msg }) => [path, msg]))
}

/** Returns the message for errors that no form field shows; null if all are shown. */
export function generalMessageOf(error: unknown, fields: object, fallback: string): string | null {
  if (error === null) return null
  const errors = error instanceof ApiError ? error.errors : []
  if (errors.length === 0) return messageOf(error, fallback)
  const others = errors.filter(({ path }) => !(path in fields))
  return others.length === 0 ? null : others.map(({ msg }) => msg).join(' ')
}

/** The API's only `fetch`. It uses no schemas, so that the pages before sign-in load no Zod. */
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
  const isForm = body instanceof FormData // the browser sets its Content-Type
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json')
  const content = body === undefined || isForm ? body : JSON.stringify(body)

  const isAct = method !== 'GET' && token !== null && !options.isSecret && !options.signal
  const request = async (key?: string) => {
    if (key) headers.set('Idempotency-Key', key)
    const ask = () => answerTo(`/api${path}`, { method, headers, body: content }, options, isAct)
    const response = await ask()
    return (await isConfirmed(response)) ? ask() : response
  }
  const response = await sendAct({ method, path, token, content }, options, request)
  if (response.status === 401 && !TOKEN_CALLS.includes(path)) await endSession(token, response.clone())
  if (response.status === 403) await leadToSecondFactor(token, response.clone())
  return response
}

/**
 * Deduplicates actions. A GET may be repeated, and a call with a signal belongs to its caller; neither is deduplicated.
 */
function sendAct(parts: Act, options: ApiOptions, request: (key?: string) => Promise<Response>) {
  const { method, content } = parts
  const { idempotencyKey, adds, mayRepeat, isSecret, signal } = options
  if (method === 'GET') return request()
  if (signal || content instanceof FormData) return request(idempotencyKey ?? randomUuid())
  const act = JSON.stringify({ ...parts, idempotencyKey })
  if (adds) return sendOnce(act, () => withIdempotencyKey(act, randomUuid, request))
  // A press after a double click is sent although the first waits for its answer: it is about what has been seen since.
  const rememberedMs = mayRepeat || isSecret ? 0 : DOUBLE_PRESS_MS
  return sendOnce(act, () => request(idempotencyKey ?? randomUuid()), rememberedMs, DOUBLE_PRESS_MS)
}

type Act = { method: Method; path: string; token: string | null; content: FormData | string | undefined }

async function answerTo(
  address: string,
  init: RequestInit,
  options: ApiOptions,
  mayStillHappen: boolean,
): Promise<Response> {
  const limit = AbortSignal.timeout(options.limitMs ?? TIMEOUT_MS)
  const request = () =>
    fetch(address, {
      ...init,
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
      keepalive: options.keepalive ?? false,
      credentials: 'omit',
      cache: 'no-store', // else the browser turns a 304 into a 200 from its own cache
    })
  try {
    let response = await request()
    if (response.status === REQUEST_TIMEOUT && isRepeatable(init)) response = await request()
    readDate(response.headers.get('date'))
    return response
  } catch (cause) {
    if (options.signal?.aborted) throw cause // cancelled by the caller
    throw new ApiError(0, 'Network error. Please try again.', { cause, mayStillHappen })
  }
}

/** A GET changes nothing, and of a signed-in caller the server carries out each Idempotency-Key once. */
function isRepeatable({ method, headers }: RequestInit): boolean {
  const sent = new Headers(headers)
  return method === 'GET' || (sent.has('Authorization') && sent.has('Idempotency-Key'))
}

/** Returns the body of a success; anything else throws an ApiError with the server's message. */
export async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body
  const { message, ...more } = readFailure(body)
  throw new ApiError(response.status, message, more)
}

/** The error for a success whose body does not match its schema. */
export function unexpectedAnswer(response: Response, cause?: unknown): ApiError {
  return new ApiError(response.status, '', { code: 'unexpected_answer', cause })
}

function readFailure(body: unknown): Partial<ApiError> & { message: string } {
  if (!isRecord(body) || body.success !== false || typeof body.message !== 'string') return { message: '' }
  const { message, code, errors, reason, request_id, second_factor, attempts_left, by, since, last_act } = body
  return {
    message,
    ...(typeof code === 'string' && { code }),
    ...(typeof request_id === 'string' && { requestId: request_id }),
    reason: parseSignedOutReason(reason),
    ...(isSecondStep(second_factor) && { secondStep: second_factor }),
    ...(typeof attempts_left === 'number' && { attemptsLeft: attempts_left }),
    ...(typeof by === 'string' && typeof since === 'string' && { holder: { by, since } }),
    ...(isRecord(last_act) && isActor(last_act.by) && { lastActor: last_act.by }),
    ...(Array.isArray(errors) && { errors: errors.filter(isFieldError) }),
  }
}

function isActor(by: unknown): by is NonNullable<ApiError['lastActor']> {
  return isRecord(by) && typeof by.id === 'string' && typeof by.name === 'string'
}

function isSecondStep(offer: unknown): offer is SecondStepOffer {
  if (!isRecord(offer) || typeof offer.challenge !== 'string') return false
  const { methods, passkey_options } = offer
  if (passkey_options !== undefined && !(isRecord(passkey_options) && typeof passkey_options.challenge === 'string'))
    return false
  return Array.isArray(methods) && methods.every((method) => typeof method === 'string')
}

function isFieldError(error: unknown): error is FieldError {
  return isRecord(error) && typeof error.path === 'string' && typeof error.msg === 'string'
}

/** True for what waits until the account has added a second factor. */
export const isFactorRequired = (error: unknown) => error instanceof ApiError && error.code === FACTOR_REQUIRED

/** An account that must add a second factor can do nothing else: whatever was opened, its page is where it does that. */
async function leadToSecondFactor(token: string | null, response: Response) {
  const body: unknown = await response.json().catch(() => null)
  if (!isRecord(body) || body.code !== FACTOR_REQUIRED) return
  const { token: current, user } = currentSession()
  const page = user?.role === 'master' ? '/master/account' : '/host/account'
  if (token && token === current && window.location.pathname !== page) window.location.replace(page)
}

/** Ends the session only if the 401 belongs to its token; the reload drops everything on screen. */
async function endSession(token: string | null, response: Response) {
  const body: unknown = await response.json().catch(() => null)
  if (!token || currentSession().token !== token) return
  rememberPage(window.location.pathname + window.location.search, { andReload: true })
  clearSession({ reason: parseSignedOutReason(isRecord(body) && body.reason) })
  window.location.replace(signInPath(site.site))
}

/** Returns a UUID. `randomUUID` is missing on plain http unless the name is localhost. */
export function randomUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5') // version 4, variant 1
}
