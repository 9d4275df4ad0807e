import { pino } from 'pino'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildHost, call, type TestHost } from '../../test/factories/accounts.ts'
import { setup } from '../../test/servers/setup.ts'
import { AppError } from '../errors.ts'

const lines: { level: number; msg: string; status?: number }[] = []
const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
let now = Date.parse('2026-11-21T10:00:00Z')
const server = await setup({ log, now: () => now })

let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})

/** Makes a call that is logged, and waits for its line: those of the calls before it have been written too. */
async function logsAnother(): Promise<void> {
  expect((await call(server, 'GET', '/host/profile', { as: host })).status).toBe(200)
  await expect.poll(() => requests().at(-1)).toMatchObject({ status: 200 })
}

const DATABASE_GONE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

const requests = () => lines.filter(({ msg }) => msg === 'request')

test.each([
  ['a refusal for too many sign-ins at once is no error', new AppError('busy', 'Too many.'), 503, []],
  ['a refusal for too many sign-ins is no error', new AppError('too_many', 'Too many.'), 429, []],
  ['a database that is gone is an error', DATABASE_GONE, 503, [{ status: 503, level: 50 }]],
  ['a fault is an error', new Error('A fault'), 500, [{ status: 500, level: 50 }]],
])('%s', async (_what, error, status, logged) => {
  vi.spyOn(server.deps.passwords, 'isRight').mockRejectedValueOnce(error)
  lines.length = 0
  const body = { username: 'H000001', password: 'a guess' }
  expect((await call(server, 'POST', '/auth/host/login', { body })).status).toBe(status)
  await logsAnother()
  expect(requests()).toMatchObject([...logged, { status: 200, level: 30 }])
})

test('while the database is away, calls before sign-in have one line in ten seconds, with their number', async () => {
  const clock = performance.now.bind(performance)
  let aheadMs = 10_000 // after the calls of other tests
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + aheadMs)
  const isRight = vi.spyOn(server.deps.passwords, 'isRight').mockRejectedValue(DATABASE_GONE)
  lines.length = 0
  const signIn = (n: number) => {
    const from = `192.0.2.${n}`
    return call(server, 'POST', '/auth/host/login', { body: { username: `H${n}`, password: 'a guess' }, from })
  }
  for (let n = 0; n < 5; n++) expect((await signIn(n)).status).toBe(503)
  aheadMs += 10_000
  expect((await signIn(5)).status).toBe(503)
  isRight.mockRestore()
  await logsAnother()
  expect(requests()).toMatchObject([{ status: 503, level: 50, times: 1 }, { status: 503, times: 5 }, { status: 200 }])
})

test('what happens before sign-in fills no log', async () => {
  lines.length = 0
  const body = { username: 'H000001', password: 'a guess' }
  expect((await call(server, 'POST', '/zoom/webhooks', { body: { event: 'meeting.started' } })).status).toBe(401)
  expect((await call(server, 'POST', '/auth/host/login', { body })).status).toBe(400)
  expect((await call(server, 'POST', '/auth/host/login', { body: {} })).status).toBe(422)
  expect((await call(server, 'POST', '/host/users', { body })).status).toBe(401)
  for (const path of ['/healthz', '/readyz']) expect((await server.app.inject(path)).statusCode).toBe(200)
  expect((await call(server, 'GET', '/openapi.json')).status).toBe(200)
  expect((await server.app.inject('/api/oauth/callback?state=x')).statusCode).toBe(303)
  await logsAnother()
  expect(requests()).toHaveLength(1)
})

test.each([
  ['too many calls', new AppError('too_many', 'Too many.'), 429],
  ['a queue that is full', new AppError('busy', 'Too many.'), 503],
])('what is refused for %s fills no log, after sign-in either', async (_what, error, status) => {
  lines.length = 0
  vi.spyOn(server.deps.rooms, 'getFresh').mockRejectedValueOnce(error)
  vi.spyOn(server.deps.rooms, 'peekFresh').mockReturnValueOnce(null)
  expect((await call(server, 'GET', '/host/users', { as: host })).status).toBe(status)
  await logsAnother()
  expect(requests()).toHaveLength(1)
})

test('what is refused after sign-in is logged', async () => {
  lines.length = 0
  expect((await call(server, 'POST', '/host/users', { as: host, body: {} })).status).toBe(422)
  await expect.poll(requests).toMatchObject([{ status: 422, level: 30, by: 'host' }])
})

test('the calls of one account have 120 lines a minute, whatever they are answered', async () => {
  const other = await buildHost(server)
  lines.length = 0
  const read = (path: string, as = host) => call(server, 'GET', path, { as })
  for (let time = 0; time < 65; time++) {
    expect((await read('/host/profile')).status).toBe(200)
    expect((await read('/host/audit?limit=x')).status).toBe(422)
  }
  await read('/host/profile', other)
  await expect.poll(() => requests().length).toBe(121)
  now += 60_001
  await logsAnother()
  expect(requests()).toHaveLength(122)
})
