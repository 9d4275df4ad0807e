import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test, vi } from 'vitest'
import { eventLoopTurns } from '../event-loop-turns.ts'
import { buildHost, buildPhone, buildRoomUser, call, requestStream } from '../factories/accounts.ts'
import { openStream } from '../servers/stream.ts'
import { setupNodes } from './setup.ts'

const { a, start } = await setupNodes()

async function get(origin: string, path: string) {
  const outgoing = request(origin + path, { headers: { connection: 'keep-alive' } }).end()
  const [answer] = await once(outgoing, 'response')
  answer.resume()
  return { status: answer.statusCode, connection: answer.headers.connection }
}

test('a server that is about to stop is not ready, serves what comes, and keeps no connection', async () => {
  const node = await start()
  expect(await get(node.origin, '/readyz')).toEqual({ status: 200, connection: 'keep-alive' })
  const drained = node.drain()
  expect(await get(node.origin, '/readyz')).toEqual({ status: 503, connection: 'close' })
  expect(await get(node.origin, '/healthz')).toEqual({ status: 503, connection: 'close' })
  expect(await get(node.origin, '/api/openapi.json')).toEqual({ status: 200, connection: 'close' })
  await drained
})

test('streams of a server that stops continue at another one: nothing is lost, nothing comes twice', async () => {
  const node = await start()
  const host = await buildHost(a)
  const phone = await buildPhone(a, host, await buildRoomUser(a, host))
  const { sseUrl } = (await requestStream(node, host)).body
  const before = await openStream(node.origin + sseUrl)
  const toggle = (speaker_on: boolean) => call(a, 'POST', '/mobile/status', { as: phone, body: { speaker_on } })
  await toggle(true)
  const last = await before.next('user-speaker-toggle', { speaker_on: true })
  const { streams } = node.deps
  const endStreams = streams.close.bind(streams)
  const wasListening: boolean[] = []
  vi.spyOn(streams, 'close').mockImplementation(() => {
    wasListening.push(node.app.server.listening)
    endStreams()
  })
  await node.close()
  await before.ended
  expect(wasListening).toEqual([false]) // else it would reopen there
  await toggle(false)
  await toggle(true)
  const after = await openStream(a.origin + sseUrl, last.id)
  await call(a, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await after.next('host-mute-all', { active: true })
  const toggles = after.received.filter(({ name }) => name === 'user-speaker-toggle')
  expect(toggles.map(({ data }) => data.speaker_on)).toEqual([false, true])
})

test('a server with another SECRET_KEY is refused, and shares nothing', async () => {
  await expect(start({ SECRET_KEY: 'another secret key for tests, 32 bytes or more' })).rejects.toThrow(
    'The Redis at REDIS_URL belongs to servers with another DATABASE_URL or SECRET_KEY',
  )
})

test('a server stops although a job still changes a room', async () => {
  const node = await start()
  const host = await buildHost(a)
  const user = await buildRoomUser(a, host)
  const zoom = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  node.deps.jobs.wake({
    name: 'asks Zoom',
    every: 60_000,
    async run({ rooms }) {
      begun.resolve()
      await zoom.promise
      await (await rooms.get(host.id)).commands.setPeopleInMeeting(new Set([user.id]))
      return 0
    },
  })
  await begun.promise
  const closingRooms = vi.spyOn(node.deps.rooms, 'close')
  const closed = node.close()
  await expect.poll(() => node.app.server.listening).toBe(false)
  await eventLoopTurns(100)
  expect(closingRooms).not.toHaveBeenCalled()
  zoom.resolve()
  await closed
})
