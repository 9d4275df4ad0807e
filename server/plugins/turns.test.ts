import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { buildHost, call, openSession, type TestHost } from '../../test/factories/accounts.ts'
import { setup } from '../../test/servers/setup.ts'
import { KeyedSlots } from '../lib/keyed-slots.ts'
import { takeTurns, turnsOf } from './turns.ts'

const server = await setup()
const { rooms } = server.deps
const SEARCH = '/host/users?limit=1'

let host: TestHost
let begun: MockInstance<typeof rooms.getFresh>
let go: () => void
/** Holds the searches of one host in their handler. */
beforeEach(async () => {
  host = await buildHost(server)
  const held = Promise.withResolvers<void>()
  go = held.resolve
  vi.spyOn(rooms, 'peekFresh').mockReturnValue(null)
  begun = vi.spyOn(rooms, 'getFresh').mockImplementation(async (id) => {
    if (id === host.id) await held.promise
    return rooms.get(id)
  })
})
afterEach(() => vi.restoreAllMocks())

const search = (as: { token: string } = host) => call(server, 'GET', SEARCH, { as })
const searchOften = (times: number, as?: { token: string }) => Array.from({ length: times }, () => search(as))
const BUSY = { status: 503, headers: { 'retry-after': '2' }, body: { success: false, code: 'busy' } }

describe('calls of one account', () => {
  test('run three at a time, over all its sessions, and keep no other account waiting', async () => {
    const calls = [...searchOften(2), ...searchOften(8, { token: await openSession(server, host.id) })]
    const ofHost = () => begun.mock.calls.filter(([id]) => id === host.id)
    await expect.poll(ofHost).toHaveLength(3)
    expect((await search(await buildHost(server))).status).toBe(200)
    expect((await call(server, 'GET', '/host/online-users', { as: host })).status).toBe(200)
    expect((await call(server, 'GET', '/recordings?fetch_live=true', { as: host })).status).toBe(200)
    expect((await call(server, 'GET', '/host/audit?format=csv', { as: host })).status).toBe(200)
    expect(ofHost()).toHaveLength(3)
    go()
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
  })

  test('are refused beyond 500 that wait', async () => {
    const readProfile = () => call(server, 'GET', '/host/profile', { as: host }) // has no limit of its own
    vi.spyOn(performance, 'now').mockReturnValue(0) // a slow machine answers 500 later than a console waits
    const running = searchOften(3)
    await expect.poll(() => begun.mock.calls.length).toBe(3)
    const waiting = Array.from({ length: 500 }, readProfile)
    expect(await readProfile()).toMatchObject(BUSY)
    go()
    for (const { status } of await Promise.all([...running, ...waiting])) expect(status).toBe(200)
    expect((await readProfile()).status).toBe(200)
  })

  test('are refused after a wait of six seconds, before a console gives up', async () => {
    const queue = vi.spyOn(KeyedSlots.prototype, 'run')
    const calls = searchOften(4)
    await expect.poll(() => queue.mock.calls.filter(([key]) => key.startsWith('database')).length).toBe(4)
    await expect.poll(() => begun.mock.calls.length).toBe(3)
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 6_001)
    go()
    const answers = await Promise.all(calls)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 503])
    expect(answers.find(({ status }) => status === 503)).toMatchObject(BUSY)
    expect(begun).toHaveBeenCalledTimes(3)
  })

  test('are left out when their caller has left meanwhile', async () => {
    const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
    const headers = { host: 'localhost:3000', authorization: `Bearer ${host.token}` }
    const requests = Array.from({ length: 3 }, () => search())
    await expect.poll(() => begun.mock.calls.length).toBe(3)
    const leaving = request({ port, path: `/api${SEARCH}`, headers }).on('error', () => {})
    const arrived = once(server.app.server, 'request')
    leaving.end()
    const [, response] = await arrived
    const hasLeft = once(response, 'close')
    leaving.destroy()
    await hasLeft
    const later = search()
    go()
    for (const { status } of await Promise.all([...requests, later])) expect(status).toBe(200)
    expect(begun).toHaveBeenCalledTimes(4)
  })
})

test('calls that are answered from memory take no turn, and calls in the background do', () => {
  const background = [...server.app.routeList.values()].filter(
    ({ config }) => config?.background && config.access && !config.access.includes('public'),
  )
  const takesTurn = ({ config }: (typeof background)[number]) => turnsOf(config) !== 'none'
  const names = (routes: typeof background) => routes.map(({ method, url }) => `${method} ${url}`).toSorted()
  expect(names(background.filter((route) => !takesTurn(route)))).toEqual([
    'GET /api/host/attendees',
    'GET /api/host/online-users',
    'GET /api/host/users/:id',
    'GET /api/mobile/room',
    'POST /api/mobile/host-mute-all-status',
    'POST /api/mobile/sse-session',
    'POST /api/mobile/status',
    'PUT /api/host/seat', // at the database once in three seconds at most
  ])
  expect(names(background.filter(takesTurn))).toContain('GET /api/host/sign-in-links')
  expect(turnsOf({ background: true })).toBe('database')
})

test('a turn ends before its answer is read, unless it is a file', async () => {
  const app = fastify()
  const session = { role: 'host', actor_id: host.id }
  app.decorateRequest('session', { getter: () => session as never })
  takeTurns(app)
  const { promise: whole, resolve: end } = Promise.withResolvers<null>()
  const answer = async function* () {
    yield 'The beginning'
    await whole
  }
  app.get('/list', async (_request, reply) => reply.send(Readable.from(answer())))
  app.get('/file', { config: { turns: 'files' } }, async (_request, reply) => reply.send(Readable.from(answer())))
  const begun: string[] = []
  app.addHook('onSend', async ({ url }) => void begun.push(url))
  const answers = ['/list', '/file'].flatMap((url) => Array.from({ length: 8 }, () => app.inject(url)))
  const count = (url: string) => begun.filter((sent) => sent === url).length
  await expect.poll(() => [count('/list'), count('/file')]).toEqual([8, 6])
  end(null)
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(200))
  await app.close()
})
