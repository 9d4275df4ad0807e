import type { z } from 'zod'
import { REQUEST_TIMEOUT } from '../request-timeout.ts'
import { PHONE_SESSION_ENDS, type PhoneSessionEnd } from '../session-end.ts'
import { PhoneFailure } from './failure.ts'

type FailureDetails = {
  code?: string | undefined
  retryAfterMs?: number | null
  reason?: string | undefined
  hostPresence?: PhoneFailure['host_presence']
}

/** An error response with the server's message. */
export class CallFailure extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly retryAfterMs: number | null // null: a retry will not help
  readonly sessionEnd: PhoneSessionEnd | null // set on a 401 if the server knows the reason
  readonly hostPresence: PhoneFailure['host_presence']

  constructor(
    status: number,
    message: string,
    { code, retryAfterMs = null, reason, hostPresence }: FailureDetails = {},
  ) {
    super(message)
    this.name = 'CallFailure'
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
    this.sessionEnd = PHONE_SESSION_ENDS.find((end) => end === reason) ?? null
    this.hostPresence = hostPresence
  }
}

export type Call = { token?: string; body?: unknown; signal?: AbortSignal; keepalive?: boolean }

const TIMEOUT_MS = 15_000

/** A call that did not arrive fails as without a network. A GET is repeated once before that. */
export async function call<T extends z.ZodType>(
  schema: T,
  method: string,
  url: string,
  { token, body, signal, keepalive = false }: Call = {},
): Promise<z.output<T>> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token) headers.authorization = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const request = () =>
    fetch(url, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      redirect: 'error',
      keepalive, // lets the call outlive the page
    }).catch((error: unknown) => {
      throw unreachable(url, reasonOf(error), error)
    })
  let response = await request()
  if (response.status === REQUEST_TIMEOUT && method === 'GET') response = await request()
  if (response.status === REQUEST_TIMEOUT) throw unreachable(url, `it answered ${REQUEST_TIMEOUT}`)
  const text = await response.text()
  if (!response.ok) throw failureOf(response, text)
  return schema.parse(JSON.parse(text))
}

function failureOf(response: Response, text: string) {
  const { status } = response
  const isBusy = status === 429 || status >= 500
  const retryAfterMs = isBusy ? Math.max(1, Number(response.headers.get('retry-after')) || 1) * 1000 : null
  try {
    const { message, code, errors, reason, host_presence: hostPresence } = PhoneFailure.parse(JSON.parse(text))
    const fields = errors?.map((error) => `${error.path}: ${error.msg}`).join(', ')
    const details = { code, retryAfterMs, reason, hostPresence }
    return new CallFailure(status, fields ? `${message} (${fields})` : message, details)
  } catch {
    return new CallFailure(status, `The server answered ${status} without a message`, { retryAfterMs })
  }
}

function unreachable(url: string, reason: string, cause?: unknown) {
  return new Error(`${new URL(url).origin} cannot be reached (${reason})`, { cause })
}

/** Returns the network's error code, such as ECONNREFUSED, which fetch hides behind "fetch failed". */
function reasonOf(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}
