import { EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import type { Readable } from 'node:stream'

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
  let unread = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (text: string) => {
    const blocks = (unread + text).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parse(block)
      if (event) received.push(event)
    }
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

function parse(block: string): StreamEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  const data = fields.get('data')
  return data === undefined
    ? null
    : { id: fields.get('id') ?? '', name: fields.get('event') ?? '', data: JSON.parse(data) }
}
