import { EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import type { Readable } from 'node:stream'
import { createParser } from 'eventsource-parser'

export interface StreamEvent {
  id: string
  name: string
  data: Record<string, unknown>
}

export interface OpenStream {
  /** All events so far. */
  received: StreamEvent[]
  /** Waits for the next event with this name and data that was not returned before. */
  next(name: string, data?: Record<string, unknown>): Promise<StreamEvent>
  ended: Promise<void>
  close(): void
}

const openStreams = new Set<OpenStream>()

/** Closes open streams; returns their number. */
export async function closeStreams(): Promise<number> {
  const streams = [...openStreams]
  for (const stream of streams) stream.close()
  await Promise.all(streams.map(({ ended }) => ended))
  return streams.length
}

/** Opens an event stream over real HTTP. */
export async function openStream(url: string, lastEventId?: string): Promise<OpenStream> {
  const outgoing = request(url, { headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId } })
  outgoing.end()
  const [incoming] = await once(outgoing, 'response')
  if (incoming.statusCode !== 200) throw new Error(`The stream answered ${incoming.statusCode}`)
  outgoing.on('error', () => {})
  return readStream(incoming, () => outgoing.destroy())
}

export function readStream(incoming: Readable, close: () => void): OpenStream {
  const received: StreamEvent[] = []
  const news = new EventEmitter()
  const parser = createParser({
    onEvent: ({ id = '', event: name = '', data }) => received.push({ id, name, data: JSON.parse(data) }),
  })
  incoming.setEncoding('utf8')
  incoming.on('data', (text: string) => {
    parser.feed(text)
    news.emit('news')
  })
  const ended = new Promise<void>((resolve) => {
    incoming.once('close', () => {
      news.emit('news')
      resolve()
    })
  })

  let read = 0
  const stream: OpenStream = {
    received,
    ended,
    close,
    async next(name, data = {}) {
      for (;;) {
        while (read < received.length) {
          const event = received[read++]
          if (event?.name === name && Object.entries(data).every(([key, value]) => event.data[key] === value))
            return event
        }
        if (incoming.destroyed || incoming.readableEnded) throw new Error(`The stream ended without ${name}`)
        await once(news, 'news')
      }
    },
  }
  openStreams.add(stream)
  void ended.then(() => openStreams.delete(stream))
  return stream
}
