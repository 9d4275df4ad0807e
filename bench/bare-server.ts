import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { verify } from '@node-rs/argon2'
import { z } from 'zod'
import { hashPassword } from '../server/features/auth/passwords.ts'
import { runJobs } from './child.ts'

/** The baseline: serves the same responses with plain `node:http`, without framework, sign-in or state. */
const ETAG = '"bare-1"'
let list = Buffer.alloc(0)
/** Alternating names and values, sent as the product does. */
let headers: string[] = []
const streams = new Set<Socket>()
/** This event is as long as the product's. */
const EVENT =
  'id: kPqDf3_a-128\nevent: host-mute-all\ndata: {"room_id":"00000000-0000-4000-8000-000000000000","active":true}\n\n'
const FRAME = Buffer.from(`${EVENT.length.toString(16)}\r\n${EVENT}\r\n`)

const server = createServer((request, response) => {
  switch (request.url) {
    case '/unchanged':
      if (request.headers['if-none-match'] !== ETAG) return response.writeHead(500).end()
      return response.writeHead(304, { etag: ETAG }).end()
    case '/list':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': list.length, etag: ETAG })
      return response.end(list)
    case '/unchanged-with-headers':
      if (request.headers['if-none-match'] !== etagIn(headers)) return response.writeHead(500).end()
      return response.writeHead(304, headers).end()
    case '/list-with-headers':
      return response.writeHead(200, headers).end(list)
    case '/echo':
      return echo(request, response)
    case '/stream':
      response.writeHead(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' })
      response.write(': welcome\n\n')
      if (response.socket) streams.add(response.socket.setNoDelay(true))
      return response
    case '/broadcast':
      for (const stream of streams) stream.write(FRAME)
      return response.writeHead(200, { 'content-length': 0 }).end()
    default:
      return response.writeHead(404, { 'content-length': 0 }).end()
  }
})

function etagIn(pairs: string[]): string | undefined {
  return pairs[pairs.indexOf('etag') + 1]
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    const text = JSON.stringify({ success: true, data: body })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  })
}

/** Measures argon2 verifications per second, with one at a time per core. */
async function measureVerifications(password: string, ms: number): Promise<number> {
  const hashed = await hashPassword(password)
  const began = performance.now()
  let count = 0
  const one = async () => {
    for (; performance.now() - began < ms; count++) await verify(hashed, password)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, one))
  return count / ((performance.now() - began) / 1000)
}

const Job = z.union([
  z.object({ list: z.string(), headers: z.array(z.string()).default([]) }),
  z.object({ password: z.string(), ms: z.number() }),
  z.object({}),
])

runJobs(async (input) => {
  const job = Job.parse(input)
  if ('password' in job) return measureVerifications(job.password, job.ms)
  if ('list' in job) {
    list = Buffer.from(job.list)
    headers = job.headers
    return list.length
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
})
