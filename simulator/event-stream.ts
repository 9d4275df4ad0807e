import { STREAM_COMMENT_MS } from '../shared/room-events.ts'
import { backoffMs, type Random } from './random.ts'
import type { Schedule } from './schedule.ts'

export type StreamEvent = { id: string; name: string; data: string }

type ParserHandlers = { onEvent: (event: StreamEvent) => void; onComment?: (text: string) => void }

/** Reads a text/event-stream whose chunks may be cut anywhere, as the HTML standard says. */
export class EventParser {
  lastEventId: string
  #handlers: ParserHandlers
  #rest = ''
  #afterCr = false
  #started = false
  #id: string
  #name = ''
  #data: string[] = []

  constructor(handlers: ParserHandlers, lastEventId = '') {
    this.#handlers = handlers
    this.lastEventId = lastEventId
    this.#id = lastEventId
  }

  feed(chunk: string) {
    if (chunk === '') return
    let text = chunk
    if (!this.#started) text = text.replace(/^\uFEFF/, '')
    this.#started = true
    // A CR has already ended its line: the LF of the pair may come in the next chunk.
    if (this.#afterCr && text.startsWith('\n')) text = text.slice(1)
    this.#afterCr = chunk.endsWith('\r')

    const lines = (this.#rest + text).split(/\r\n|\n|\r/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#take(line)
  }

  #take(line: string) {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (colon === 0) return this.#handlers.onComment?.(value)
    const field = colon < 0 ? line : line.slice(0, colon)
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#name = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
  }

  #dispatch() {
    const isEmpty = this.#data.length === 0
    const event = { id: this.#id, name: this.#name || 'message', data: this.#data.join('\n') }
    this.lastEventId = this.#id
    this.#name = ''
    this.#data = []
    if (!isEmpty) this.#handlers.onEvent(event)
  }
}

export type FollowOptions = {
  url: string
  lastEventId?: string
  signal: AbortSignal
  schedule: Schedule
  random: Random
  onOpen?: () => void
  onLost?: () => void
  onEvent: (event: StreamEvent) => void
  onComment?: (text: string) => void
}

/**
 * Follows a stream for as long as the server will have it, coming back with Last-Event-ID after each loss.
 * Ends with the status that refused it, or null once the signal has aborted.
 */
export async function followEvents(options: FollowOptions): Promise<{ refused: number | null; lastEventId: string }> {
  const { signal, schedule, random } = options
  let lastEventId = options.lastEventId ?? ''
  let failures = 0

  while (!signal.aborted) {
    const parser = new EventParser({ onEvent: options.onEvent, onComment: options.onComment }, lastEventId)
    let pauseMs = 0
    try {
      const refused = await readOnce(options, parser, () => {
        failures = 0
      })
      if (refused) {
        if (!refused.temporary) return { refused: refused.status, lastEventId }
        pauseMs = refused.retryAfterMs
      }
    } catch {
      // The connection broke, or was closed on purpose: the loop's condition tells which.
    }
    lastEventId = parser.lastEventId
    if (signal.aborted) break
    options.onLost?.()
    if (!(await schedule.wait(Math.max(pauseMs, backoffMs(failures++, random)), signal))) break
  }
  return { refused: null, lastEventId }
}

async function readOnce({ url, signal, onOpen }: FollowOptions, parser: EventParser, onData: () => void) {
  const headers: Record<string, string> = { accept: 'text/event-stream' }
  if (parser.lastEventId) headers['last-event-id'] = parser.lastEventId
  // A connection that has died without a word is only noticed by its silence.
  const silence = new AbortController()
  const watch = setTimeout(() => silence.abort(), 3 * STREAM_COMMENT_MS)
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.any([signal, silence.signal]) })
    const { status, body } = response
    if (status !== 200 || !body) {
      await body?.cancel()
      const retryAfterMs = (Number(response.headers.get('retry-after')) || 0) * 1000
      return { status, temporary: status === 429 || status >= 500, retryAfterMs }
    }

    onOpen?.()
    const decoder = new TextDecoder()
    for await (const bytes of body) {
      onData()
      watch.refresh()
      parser.feed(decoder.decode(bytes, { stream: true }))
    }
    return null
  } finally {
    clearTimeout(watch)
  }
}
