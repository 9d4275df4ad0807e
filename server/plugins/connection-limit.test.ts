import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type ConnectionLimits, limitConnections } from './connection-limit.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const HALL = '127.0.0.2'
const STRANGER = '127.0.0.3'

interface Client {
  /** The end of the one who connects, for which `once(client.socket, 'close')` waits. */
  socket: Socket
  ask(path: string, body?: string): void
  /** Resolves with what the server has sent, once it holds the text. */
  received(text: string): Promise<void>
}

/** Starts a server that answers `/stream` without an end and everything else at once. */
async function start(limits: ConnectionLimits) {
  const server = createServer((request, response: ServerResponse) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/plain' })
    if (request.url === '/stream') response.write('open')
    else request.once('end', () => response.end('done'))
  })
  limitConnections(server, limits)
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  closers.push(() => server.close().closeAllConnections())

  return async function connectFrom(localAddress: string): Promise<Client> {
    const accepted = once(server, 'connection')
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    closers.push(() => socket.destroy())
    await accepted
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    return {
      socket,
      ask(path, body) {
        const head = body === undefined ? `GET ${path}` : `POST ${path}`
        const length = body === undefined ? '' : `content-length: ${body.length + 1}\r\n`
        socket.write(`${head} HTTP/1.1\r\nhost: localhost\r\n${length}\r\n${body ?? ''}`)
      },
      async received(part) {
        while (!text.includes(part)) await once(socket, 'data')
        text = ''
      },
    }
  }
}

async function several(number: number, make: () => Promise<Client>): Promise<Client[]> {
  const clients: Client[] = []
  for (let made = 0; made < number; made++) clients.push(await make())
  return clients
}

const closed = ({ socket }: Client) => (socket.destroyed ? null : once(socket, 'close'))

test('the oldest silent connection of the busiest network gives way', async () => {
  const connectFrom = await start({ silent: 5, open: 100 })
  const hall = await several(2, () => connectFrom(HALL))
  const strangers = await several(6, () => connectFrom(STRANGER))
  await Promise.all(strangers.slice(0, 3).map(closed))
  for (const one of [...hall, ...strangers.slice(3)]) {
    one.ask('/')
    await one.received('done')
  }
})

test('a connection with half a request is silent, and one with a whole request is not', async () => {
  const connectFrom = await start({ silent: 2, open: 100 })
  const [half, whole] = await several(2, () => connectFrom(HALL))
  half?.ask('/', 'half of i')
  whole?.ask('/', 'whole')
  whole?.socket.write('!')
  await whole?.received('done')
  await several(2, () => connectFrom(HALL))
  if (half) await closed(half)
  whole?.ask('/')
  await whole?.received('done')
})

test('streams of one address stay open, however many, and a stranger is let in', async () => {
  const connectFrom = await start({ silent: 4, open: 204 })
  const streams = await several(200, async () => {
    const one = await connectFrom(HALL)
    one.ask('/stream')
    await one.received('open')
    return one
  })
  const silent = await several(20, () => connectFrom(STRANGER))
  await Promise.all(silent.slice(0, 16).map(closed))
  const guest = await connectFrom('127.0.0.4')
  guest.ask('/')
  await guest.received('done')
  expect(streams.filter(({ socket }) => socket.destroyed)).toHaveLength(0)
})

test('connections between two requests give way to new ones, the oldest of the busiest network first', async () => {
  const connectFrom = await start({ silent: 100, open: 4 })
  const answered = async (from: string) => {
    const one = await connectFrom(from)
    one.ask('/')
    await one.received('done')
    return one
  }
  const guest = await answered(HALL)
  const [stream, oldest, newest] = await several(3, () => answered(STRANGER))
  stream?.ask('/stream')
  await stream?.received('open')
  const next = await answered('127.0.0.4')
  if (oldest) await closed(oldest)
  for (const one of [guest, newest, next]) {
    one?.ask('/')
    await one?.received('done')
  }
  expect(stream?.socket.destroyed).toBe(false)
})

test('a connection is refused where all others are in use', async () => {
  const connectFrom = await start({ silent: 100, open: 2 })
  const streams = await several(2, async () => {
    const one = await connectFrom(HALL)
    one.ask('/stream')
    await one.received('open')
    return one
  })
  await closed(await connectFrom(STRANGER))
  expect(streams.filter(({ socket }) => socket.destroyed)).toHaveLength(0)
  streams[0]?.socket.destroy()
  // The server hears of it before or after the next connection.
  await expect
    .poll(async () => {
      const guest = await connectFrom(STRANGER)
      guest.ask('/')
      return Promise.race([closed(guest), guest.received('done').then(() => 'answered')])
    })
    .toBe('answered')
})
