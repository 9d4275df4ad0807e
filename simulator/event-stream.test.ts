import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventParser, followEvents, type StreamEvent } from './event-stream.ts'
import { seededRandom } from './random.ts'
import { createSchedule } from './schedule.ts'

function parse(chunks: string[]) {
  const events: StreamEvent[] = []
  const comments: string[] = []
  const parser = new EventParser({ onEvent: (event) => events.push(event), onComment: (text) => comments.push(text) })
  for (const chunk of chunks) parser.feed(chunk)
  return { events, comments, lastEventId: parser.lastEventId }
}

test.each([
  ['an event with a name and an id', 'id: 7\nevent: test\ndata: {}\n\n', [{ id: '7', name: 'test', data: '{}' }]],
  ['lines that end in CRLF', 'id: 7\r\ndata: a\r\n\r\n', [{ id: '7', name: 'message', data: 'a' }]],
  ['lines that end in CR', 'data: a\r\rdata: b\r\r', [named('a'), named('b')]],
  ['data of several lines', 'data: a\ndata:\ndata: b\n\n', [named('a\n\nb')]],
  ['one space after the colon, and no more, as not of the value', 'data:  a\n\n', [named(' a')]],
  ['a field with no colon', 'data\n\n', [named('')]],
  ['a byte order mark at the start', '\uFEFFdata: a\n\n', [named('a')]],
  ['unknown fields as nothing', 'colour: red\nretry: 5\ndata: a\n\n', [named('a')]],
  ['an event without data as no event', 'event: test\n\ndata: a\n\n', [named('a')]],
  ['an event that never ended as no event', 'data: a\n\ndata: b\n', [named('a')]],
])('a reader takes %s', (_, text, events) => {
  expect(parse([text]).events).toEqual(events)
})

test('an id holds for the events after it, until another comes', () => {
  const { events, lastEventId } = parse(['id: 1\ndata: a\n\ndata: b\n\nid: 2\n\nid: bad\0\ndata: c\n\n'])
  expect(events.map((event) => event.id)).toEqual(['1', '1', '2'])
  expect(lastEventId).toBe('2')
})

test('comments are heard apart from events', () => {
  const { events, comments } = parse([': still here\n\ndata: a\n:\n\n'])
  expect(comments).toEqual(['still here', ''])
  expect(events).toEqual([named('a')])
})

test('however a stream is cut into chunks, it says the same', () => {
  const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
  const line = fc.oneof(
    fc.constantFrom('', '', 'data', ': comment', 'id: 4', 'event: test'),
    fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
  )
  const stream = fc.array(fc.tuple(line, lineEnd)).map((lines) => lines.map((parts) => parts.join('')).join(''))
  const cuts = fc.array(fc.nat(), { maxLength: 20 })

  fc.assert(
    fc.property(stream, cuts, (text, positions) => {
      const at = [
        0,
        ...positions.map((position) => position % (text.length + 1)).toSorted((a, b) => a - b),
        text.length,
      ]
      const chunks = at.slice(1).map((end, index) => text.slice(at[index], end))
      expect(parse(chunks)).toEqual(parse([text]))
    }),
  )
})

test('a follower that loses its stream comes back after the last event it heard', async () => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const lastEventId = request.headers['last-event-id']
    asked.push(lastEventId?.toString())
    response.writeHead(asked.length === 3 ? 503 : 200, { 'content-type': 'text/event-stream' })
    if (asked.length === 1) response.write('id: 1\ndata: first\n\nid: 2\ndata: cut off\n', () => response.destroy())
    else if (asked.length === 2) response.end('id: 2\ndata: second\n\n')
    else if (asked.length === 3) response.end()
    else response.end('id: 3\ndata: third\n\n')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const leaving = new AbortController()
  const heard: string[] = []

  const schedule = { ...createSchedule(), wait: async (_ms: number, signal?: AbortSignal) => !signal?.aborted }
  await followEvents({
    url: `http://127.0.0.1:${port}/`,
    signal: leaving.signal,
    schedule,
    random: seededRandom('test'),
    onEvent: ({ data }) => {
      heard.push(data)
      if (data === 'third') leaving.abort()
    },
  })
  server.close()

  expect(heard).toEqual(['first', 'second', 'third'])
  expect(asked).toEqual([undefined, '1', '2', '2'])
})

test('a follower that the server refuses says so and does not ask again', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo

  const end = await followEvents({
    url: `http://127.0.0.1:${port}/`,
    signal: new AbortController().signal,
    schedule: createSchedule(),
    random: seededRandom('test'),
    onEvent: () => {},
  })
  server.close()

  expect(end.refused).toBe(404)
  expect(asked).toBe(1)
})

function named(data: string): StreamEvent {
  return { id: '', name: 'message', data }
}
