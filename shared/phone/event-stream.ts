import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { REQUEST_TIMEOUT } from '../request-timeout.ts'
import { STREAM_COMMENT_MS } from '../room-events.ts'
import { backoffMs, type RandomSource } from './backoff.ts'
import type { Schedule } from './schedule.ts'

export type FollowOptions = {
  url: string
  lastEventId?: string
  signal: AbortSignal
  schedule: Schedule
  random: RandomSource
  onOpen?: () => void
  onLost?: () => void
  onEvent: (event: EventSourceMessage) => void
}

/** Milliseconds after which a connection attempt is abandoned: the server responds at once, a dead connection never. */
const OPEN_MS = 10_000

/**
 * Follows a stream and reconnects with Last-Event-ID after each loss. Returns the status of the server's refusal, or
 * null once the signal has aborted. Consoles use the EventSource of the browser instead; it hides the status of a refusal
 * and cannot tell silence from a dead connection, and a phone must know both.
 */
export async function followEvents(options: FollowOptions): Promise<number | null> {
  const { signal, schedule, random } = options
  let { lastEventId } = options
  let failures = 0
  const onEvent = (event: EventSourceMessage) => {
    if (event.id !== undefined) lastEventId = event.id
    options.onEvent(event)
  }

  while (!signal.aborted) {
    let pauseMs = 0
    try {
      const refusal = await readOnce({ ...options, lastEventId, onEvent }, () => {
        failures = 0
      })
      if (refusal && !refusal.isTemporary) return refusal.status
      pauseMs = refusal?.retryAfterMs ?? 0
    } catch {
      // The connection was lost, or the signal aborted it, which the loop checks.
    }
    if (signal.aborted) break
    options.onLost?.()
    if (!(await schedule.wait(Math.max(pauseMs, backoffMs(failures++, random)), signal))) break
  }
  return null
}

async function readOnce({ url, lastEventId, signal, onOpen, onEvent }: FollowOptions, onData: () => void) {
  const headers: Record<string, string> = { accept: 'text/event-stream' }
  if (lastEventId) headers['last-event-id'] = lastEventId
  // Silence is the only sign of a dead connection.
  const silence = new AbortController()
  const abortAfter = (ms: number) => setTimeout(() => silence.abort(), ms)
  let timer = abortAfter(OPEN_MS)
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.any([signal, silence.signal]) })
    const { status, body } = response
    if (status !== 200 || !body) {
      await body?.cancel()
      const retryAfterMs = (Number(response.headers.get('retry-after')) || 0) * 1000
      const isTemporary = status === REQUEST_TIMEOUT || status === 429 || status >= 500
      return { status, isTemporary, retryAfterMs }
    }

    clearTimeout(timer)
    timer = abortAfter(3 * STREAM_COMMENT_MS)
    onOpen?.()
    const parser = createParser({ onEvent })
    const decoder = new TextDecoder()
    const reader = body.getReader() // Safari cannot iterate over a body
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      onData()
      clearTimeout(timer)
      timer = abortAfter(3 * STREAM_COMMENT_MS)
      parser.feed(decoder.decode(read.value, { stream: true }))
    }
    return null
  } finally {
    clearTimeout(timer)
  }
}
