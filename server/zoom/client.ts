import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import { backoff } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import type { Deadline } from './deadline.ts'
import { ZoomError } from './errors.ts'
import type { RateLabel } from './rate-queue.ts'
import { readJson, refusalOf, unreadable } from './response.ts'

/** One call of Zoom's REST API, and what its answer must look like. */
export interface ZoomCall<T> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string // after /v2, its segments encoded
  query?: Record<string, string>
  body?: object
  isMeetingWrite?: boolean // Zoom limits these by the day
  label?: RateLabel // Light where it is left out
  reply: z.ZodType<T>
}

/** Lets a call go when it is its turn. */
export interface Gate {
  enter(): Promise<void>
  /** Zoom finds the calls of this second too many. */
  pause(ms: number | null): void
}

export interface ZoomClient {
  call<T>(call: ZoomCall<T>, accessToken: string, deadline: Deadline, gate?: Gate): Promise<T>
}

export type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>

const ATTEMPTS = 3

interface Needs {
  baseUrl: string
  log: FastifyBaseLogger
  now: Clock
  wait?: Wait
}

/** Asks Zoom, and asks again where that can help and does no harm. Throws ZoomError. */
export function createClient({ baseUrl, log, now, wait = patiently }: Needs): ZoomClient {
  async function once<T>(call: ZoomCall<T>, accessToken: string, deadline: Deadline): Promise<T> {
    const { response, text } = await send(call, accessToken, deadline)
    const json = readJson(text)
    const refusal = refusalOf(response, json, now())
    if (refusal) throw refusal
    const read = call.reply.safeParse(json)
    if (!read.success) throw unreadable(response, read.error)
    return read.data
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
        redirect: 'manual', // the token goes to Zoom's API and nowhere else
        signal,
        ...(call.body && { body: JSON.stringify(call.body) }),
      })
      return { response, text: await response.text() }
    } catch (cause) {
      throw new ZoomError('unavailable', 'Zoom could not be reached', { cause })
    }
  }

  return {
    async call(call, accessToken, deadline, gate) {
      for (let attempt = 1; ; attempt++) {
        await gate?.enter()
        try {
          return await once(call, accessToken, deadline)
        } catch (error) {
          if (!(error instanceof ZoomError)) throw error
          const { cause, ...said } = error.details
          const { method, path } = call
          if (error.fault === 'rate_limit' && !error.details.isDaily) gate?.pause(error.details.retryAfterMs ?? null)
          log.warn({ zoom: { method, path, attempt, fault: error.fault, ...said }, err: cause }, error.message)
          const ms = attempt < ATTEMPTS ? pauseBefore(call, error, attempt) : null
          if (ms === null || ms >= deadline.left()) throw error
          await wait(ms, deadline.signal).catch(() => {
            throw error
          })
        }
      }
    },
  }
}

const patiently: Wait = (ms, signal) => pause(ms, undefined, { signal })

/** How long to wait before the same call again; null where that would not help, or might do a thing twice. */
function pauseBefore(call: ZoomCall<unknown>, { fault, details }: ZoomError, attempt: number): number | null {
  const after = (first: number) => backoff(attempt, { first, longest: 10_000 }) * (1 + Math.random() / 2)
  if (fault === 'rate_limit') {
    if (details.isDaily) return null
    return details.retryAfterMs ?? after(1000) // refused before anything was done, so a POST may go again too
  }
  return fault === 'unavailable' && call.method !== 'POST' ? after(200) : null
}

/**
 * A meeting number or a UUID as one segment of a path. Zoom takes a UUID that begins with a slash, or has two together,
 * only when it is encoded twice.
 */
export function meetingPath(id: string): string {
  const once = encodeURIComponent(id)
  return id.startsWith('/') || id.includes('//') ? encodeURIComponent(once) : once
}
