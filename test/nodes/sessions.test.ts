import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, buildPhone, buildRoomUser, call, phoneLogin, requestStream, type TestHost } from '../factories.ts'
import { openStream } from '../stream.ts'
import { setupNodes } from './setup.ts'

const { a, b, redis } = await setupNodes()

let host: TestHost
beforeEach(async () => {
  host = await buildHost(a)
})

const details = (node: typeof a) => call(node, 'GET', '/host/details', { as: host })

describe('a session that ends at one server', () => {
  test('ends at the other, with its streams', async () => {
    expect((await details(b)).status).toBe(200)
    const stream = await openStream(b.origin + (await requestStream(b, host)).body.sseUrl)
    await call(a, 'POST', '/auth/logout', { as: host })
    await stream.ended
    expect((await details(b)).status).toBe(401)
  })

  test('ends at the other without Redis', async () => {
    expect((await details(b)).status).toBe(200)
    await redis.kill()
    await call(a, 'POST', '/auth/logout', { as: host })
    await expect.poll(async () => (await details(b)).status).toBe(401)
    await redis.start()
  })

  test('ends at the other without Redis, whatever other jobs do', async () => {
    expect((await details(b)).status).toBe(200)
    const slow = Promise.withResolvers<number>()
    b.deps.jobs.wake({ name: 'slow', every: 60_000, run: () => slow.promise })
    await redis.kill()
    await call(a, 'POST', '/auth/logout', { as: host })
    await expect.poll(async () => (await details(b)).status).toBe(401)
    slow.resolve(0)
    await redis.start()
  })

  test('does not leave a stream behind that was being opened', async () => {
    const { sseUrl } = (await requestStream(a, host)).body
    const of = b.deps.rooms.of.bind(b.deps.rooms)
    const ended = Promise.withResolvers<void>()
    const slow = vi.spyOn(b.deps.rooms, 'of').mockImplementation(async (id) => {
      await ended.promise
      return of(id)
    })
    const opening = openStream(b.origin + sseUrl).catch(() => null)
    await expect.poll(() => slow.mock.calls.length).toBeGreaterThan(0)
    const id = (await a.deps.sessions.find(host.token))?.id ?? ''
    await call(a, 'POST', '/auth/logout', { as: host })
    await expect.poll(() => b.deps.sessions.findById(id)).toBeNull()
    ended.resolve()
    expect(await opening).toBeNull()
    slow.mockRestore()
  })
})

describe('the address of a stream', () => {
  test('opens it at the other server, and again there after the first has gone', async () => {
    const phone = await buildPhone(a, host, await buildRoomUser(a, host))
    const { sseUrl } = (await requestStream(a, host, phone)).body
    const first = await openStream(a.origin + sseUrl)
    await first.next('test')
    const second = await openStream(b.origin + sseUrl)
    await second.next('test')
    await first.ended
  })

  test('is refused where its signature is wrong', async () => {
    const { sseUrl } = (await requestStream(a, host)).body
    await expect(openStream(`${b.origin}${sseUrl.slice(0, -2)}xx`)).rejects.toThrow('401')
  })
})

describe('limits', () => {
  test('of wrong passwords count at all servers', async () => {
    const user = await buildRoomUser(a, host)
    const guess = async (node: typeof a) => (await phoneLogin(node, host, user, undefined, 'wrong password')).status
    for (let tries = 0; tries < 4; tries++) expect(await guess([a, b][tries % 2] ?? a)).toBe(400)
    await expect.poll(() => guess(a)).toBe(429)
    await expect.poll(() => guess(b)).toBe(429)
  })

  test('of calls count at all servers', async () => {
    let calls = 0
    for (; calls < 30; calls++) expect((await requestStream([a, b][calls % 2] ?? a, host)).status).toBe(200)
    for (const node of [a, b]) await expect.poll(async () => (await requestStream(node, host)).status).toBe(429)
  })
})
