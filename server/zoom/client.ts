import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import { backoff } from '../../shared/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Deadline } from './deadline.ts'
import { ZoomError } from './errors.ts'
import type { RateLabel } from './rate-queue.ts'
import { invalidResponse, readJson, responseError } from './response.ts'
import type { ZoomErrorLog } from './zoom-error-log.ts'
import type { ZoomTrace } from './zoom-trace.ts'

export type ZoomOperation =
  | 'read_user'
  | 'read_user_settings'
  | 'create_meeting'
  | 'read_meeting'
  | 'read_start_link'
  | 'end_meeting'
  | 'update_meeting'
  | 'delete_meeting'
  | 'list_recordings'
  | 'read_recording'
  | 'trash_recording'
  | 'recover_recording'
  | 'read_zak'
  | 'read_on_behalf_token'
  | 'control_cloud_recording'

/** A call of Zoom's REST API, with the schema of its reply. */
export interface ZoomCall<T> {
  operation: ZoomOperation
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string // after /v2, with encoded segments
  query?: Record<string, string>
  body?: object
  isMeetingWrite?: boolean // Zoom limits these by the day
  label?: RateLabel // the default is Light
  reply: z.ZodType<T>
}

export interface RateGate {
  acquire(): Promise<void>
  /** Call after Zoom has refused a call for its limit per second. */
  pause(ms: number | null): void
}

export interface ZoomClient {
  call<T>(call: ZoomCall<T>, accessToken: string, deadline: Deadline, gate?: RateGate): Promise<T>
}

export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>

const ATTEMPTS = 3

interface Options {
  baseUrl: string
  log: FastifyBaseLogger
  now: Clock
  trace: ZoomTrace
  metrics: Pick<Metrics, 'countZoomRequest'>
  /** Absent where the errors are not counted. */
  errors?: Pick<ZoomErrorLog, 'note'>
  sleep?: Sleep
}

/** Retries if that can help and cannot repeat an effect. Throws ZoomError. */
export function createClient({ baseUrl, log, now, trace, metrics, errors, sleep = pause }: Options): ZoomClient {
  async function callOnce<T>(call: ZoomCall<T>, accessToken: string, deadline: Deadline): Promise<T> {
    const { response, text } = await send(call, accessToken, deadline)
    const json = readJson(text)
    const error = responseError(response, json, now())
    if (error) throw error
    const parsed = call.reply.safeParse(json)
    if (!parsed.success) throw invalidResponse(response, parsed.error)
    return parsed.data
  }

  async function send(call: ZoomCall<unknown>, accessToken: string, { signal }: Deadline) {
    const query = call.query ? `?${new URLSearchParams(call.query)}` : ''
    try {
      const response = await fetch(`${baseUrl}${call.path}${query}`, {
        method: call.method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${accessToken}`,
          ...(call.body && { 'content-type': 'application/json' }),
        },
        redirect: 'manual', // the token goes only to Zoom's API
        signal,
        ...(call.body && { body: JSON.stringify(call.body) }),
      })
      const text = await response.text()
      metrics.countZoomRequest(call.operation, response.status)
      return { response, text }
    } catch (cause) {
      metrics.countZoomRequest(call.operation, null)
      throw new ZoomError('unavailable', 'Zoom could not be reached', { cause })
    }
  }

  return {
    async call(call, accessToken, deadline, gate) {
      for (let attempt = 1; ; attempt++) {
        await gate?.acquire()
        const { method, path } = call
        const startedAt = performance.now()
        const elapsed = () => Math.round(performance.now() - startedAt)
        try {
          const reply = await callOnce(call, accessToken, deadline)
          trace.noteCall({ method, path, ms: elapsed() })
          return reply
        } catch (error) {
          if (!(error instanceof ZoomError)) throw error
          errors?.note(error.fault)
          const { cause, ...details } = error.details
          const { status, code } = details
          trace.noteCall({
            method,
            path,
            ms: elapsed(),
            fault: error.fault,
            ...(status && { status }),
            ...(code && { code }),
          })
          if (error.fault === 'rate_limit' && !error.details.isDaily) gate?.pause(error.details.retryAfterMs ?? null)
          log.warn(
            { zoom: { method, path, attempt, fault: error.fault, ...details }, reason: error.message, err: cause },
            'zoom.call_failed',
          )
          const ms = attempt < ATTEMPTS ? retryDelay(call, error, attempt) : null
          if (ms === null || ms >= deadline.remaining()) throw error
          await sleep(ms, deadline.signal).catch(() => {
            throw error
          })
        }
      }
    },
  }
}

const pause: Sleep = (ms, signal) => setTimeout(ms, undefined, { signal })

/** Returns null if a retry would not help, or could repeat an effect. */
function retryDelay(call: ZoomCall<unknown>, { fault, details }: ZoomError, attempt: number): number | null {
  const wait = (first: number) => backoff(attempt, { first, longest: 10_000 }) * (1 + Math.random() / 2)
  if (fault === 'rate_limit') {
    if (details.isDaily) return null
    return details.retryAfterMs ?? wait(1000) // refused before it had an effect, so a POST may be retried too
  }
  return fault === 'unavailable' && call.method !== 'POST' ? wait(200) : null
}

/**
 * Encodes a meeting number or UUID as one path segment. Zoom takes a UUID that begins with a slash, or contains two in
 * a row, only when it is encoded twice.
 */
export function meetingPath(id: string): string {
  const once = encodeURIComponent(id)
  return id.startsWith('/') || id.includes('//') ? encodeURIComponent(once) : once
}
