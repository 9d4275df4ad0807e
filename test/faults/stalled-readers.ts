import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { http, makeHost } from '../servers/server-process.ts'
import { type OpenStream, openStream, readStream } from '../servers/stream.ts'
import type { Cluster } from './cluster.ts'
import { ConsoleRecord } from './console-record.ts'

const HOST = { username: 'eva', email: 'eva@example.com', password: 'correct horse', subscription_type: 12 }
const USERS = 200
/** Mute calls for all users, 30 kB of events each: together more than the buffers of the system and the server hold. */
const CALLS = 200
/** The highest rate that the limit permits: 300 a minute. */
const PAUSE_MS = 200
/** A slow reader takes this many bytes, ten times a second. */
const SLOW_BYTES = 100

/**
 * On each server one console of a room reads normally, one reads 1 kB/s, and one does not read. The last is
 * disconnected, none of the others wait for it, and all reach the same state once they resume.
 */
export async function stallReaders(cluster: Cluster): Promise<void> {
  const room = await buildRoom(cluster)
  const good = await Promise.all(cluster.nodes.map(({ port }) => room.open(port)))
  const slow = await Promise.all(cluster.nodes.map(({ port }) => room.openUnread(port)))
  const stalled = await Promise.all(cluster.nodes.map(({ port }) => room.openUnread(port)))
  const slowly = setInterval(() => {
    for (const one of slow) one.take(SLOW_BYTES)
  }, 100)

  const delays: number[] = []
  for (let call = 1; call <= CALLS; call++) {
    const isMuted = call % 2 === 1
    const began = performance.now()
    const shown = Promise.all(
      good.map((stream) => stream.next('user-mute-status', { user_id: room.last, is_muted: isMuted })),
    )
    await Promise.all([room.muteEach(isMuted), shown])
    delays.push(performance.now() - began)
    await delay(PAUSE_MS)
  }
  clearInterval(slowly)
  const [longest = 0] = delays.toSorted((a, b) => b - a)
  process.stdout.write(`consoles that read as they should show a change after ${Math.round(longest)} ms at most\n`)

  const [reference] = good.map((stream) => recordOf([stream]))
  for (const stream of good) {
    expect(recordOf([stream]).faults).toEqual([])
    expect(recordOf([stream]).lastId).toBe(reference?.lastId)
  }
  for (const [kind, readers] of Object.entries({ slow, stalled })) {
    for (const { stream, readOn } of readers) {
      readOn()
      if (kind === 'stalled') await stream.ended
      const last = () => recordOf(streams).lastId
      const streams = [stream]
      await Promise.race([stream.ended, eventually(() => expect(last()).toBe(reference?.lastId))])
      if (last() !== reference?.lastId) streams.push(await room.open(cluster.port, last()))
      await eventually(() => expect(last()).toBe(reference?.lastId))
      expect([kind, recordOf(streams).faults]).toEqual([kind, []])
      for (const one of streams) one.close()
    }
  }
  for (const stream of good) stream.close()
}

function recordOf(streams: OpenStream[]): ConsoleRecord {
  const record = new ConsoleRecord()
  for (const { received } of streams) record.follow(received.map(({ id }) => id))
  return record
}

async function buildRoom(cluster: Cluster) {
  const { token } = await makeHost(cluster, HOST)
  const names = Array.from({ length: USERS }, (_, n) => ({
    username: `r${n}`,
    user_id: `R${n + 1_000}`,
    password: 'lamp',
  }))
  for (let from = 0; from < USERS; from += 100)
    await http(cluster, 'POST', '/host/users/import', { token, body: { users: names.slice(from, from + 100) } })
  const userIds: string[] = (await http(cluster, 'GET', '/host/users', { token })).body.data.users.map(
    ({ id }: { id: string }) => id,
  )
  const address = async (port: number) => {
    const { room_id } = (await http({ port }, 'GET', '/host/details', { token })).body
    const { sseUrl } = (await http({ port }, 'POST', '/mobile/sse-session', { token, body: { room_id } })).body
    return `http://127.0.0.1:${port}${sseUrl}`
  }
  return {
    last: userIds.at(-1),
    open: async (port: number, lastId?: string | null) => openStream(await address(port), lastId ?? undefined),
    openUnread: async (port: number) => openUnread(await address(port)),
    async muteEach(isMuted: boolean) {
      const path = `/host/users/bulk/${isMuted ? 'mute' : 'unmute'}`
      expect((await http(cluster, 'POST', path, { token, body: { userIds } })).status).toBe(200)
    },
  }
}

/** Opens a stream that only reads the bytes taken, until `readOn`. */
async function openUnread(url: string) {
  const outgoing = request(url).end()
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  if (!incoming) throw new Error('The stream did not open')
  outgoing.on('error', () => {})
  const taken = new PassThrough()
  incoming.on('error', () => {}) // `close` follows
  incoming.once('close', () => taken.destroy())
  return {
    stream: readStream(taken, () => incoming.destroy()),
    take(bytes: number) {
      const text = incoming.read(bytes)
      if (text) taken.write(text)
    },
    readOn: () => incoming.pipe(taken),
  }
}
