import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildHost, call, type TestHost } from '../../test/factories/accounts.ts'
import { setup } from '../../test/servers/setup.ts'
import type { Job } from '../jobs/job.ts'
import { JobRunner } from '../jobs/job-runner.ts'
import { createLogger, withRequestId } from './logger.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const lines: { msg: string; reqId?: string }[] = []
const log = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) })
const server = await setup({ log })
const proxied = await setup({ config: { TRUST_PROXY: true } })

let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
  lines.length = 0
})

const idOf = (headers: Record<string, unknown>) => String(headers['x-request-id'])

test.each([
  ['a page', 'GET', '/'],
  ['a probe', 'GET', '/readyz'],
  ['an answer', 'GET', '/api/host/profile'],
  ['a large answer', 'GET', '/api/openapi.json'],
  ['a refusal', 'GET', '/api/admin/hosts'],
  ['an unknown address', 'GET', '/api/nothing'],
  ['an address that cannot be read', 'GET', '/api/host/users/%E0%A4%A'],
  ['a body that cannot be read', 'POST', '/api/host/users'],
  ['a polled list', 'GET', '/api/host/online-users'],
] as const)('%s has an id of its own', async (_what, method, url) => {
  const headers = { authorization: `Bearer ${host.token}`, host: 'localhost', 'content-type': 'application/json' }
  const ask = () => server.app.inject({ method, url, headers, ...(method === 'POST' && { payload: '{' }) })
  const ids = [idOf((await ask()).headers), idOf((await ask()).headers)]
  expect(ids).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)])
  expect(ids[0]).not.toBe(ids[1])
})

test('a refused poll has the headers of every answer', async () => {
  const { status, body, headers } = await call(server, 'GET', '/host/online-users')
  expect(status).toBe(401)
  expect(body.code).toBe('not_signed_in')
  expect(idOf(headers)).toMatch(UUID)
  expect(headers['cache-control']).toBe('no-store')
})

test('a list without a change has one too', async () => {
  const first = await call(server, 'GET', '/host/online-users', { as: host })
  const headers = { 'if-none-match': String(first.headers.etag) }
  const again = await call(server, 'GET', '/host/online-users', { as: host, headers })
  expect(again.status).toBe(304)
  expect(idOf(again.headers)).toMatch(UUID)
})

test('a fault has one id in its answer, its headers and each line of the log', async () => {
  vi.spyOn(server.deps.passwords, 'isRight').mockImplementation(async () => {
    log.info('comparing')
    throw new Error('A fault')
  })
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'content-type': 'application/json' }
  const call = request(`${origin}/api/auth/host/login`, { method: 'POST', headers })
  call.flushHeaders()
  await once(server.app.server, 'request') // the body comes later, in a context of its own
  call.end(JSON.stringify({ username: 'H000001', password: 'a guess' }))
  const [answer]: IncomingMessage[] = await once(call, 'response')
  if (!answer) throw new Error('There is no answer')
  expect(answer.statusCode).toBe(500)
  const { request_id } = Object(await json(answer))
  expect(request_id).toMatch(UUID)
  expect(answer.headers['x-request-id']).toBe(request_id)
  await expect.poll(() => lines.length).toBe(3)
  expect(lines.map(({ msg, reqId }) => [msg, reqId])).toEqual([
    ['comparing', request_id],
    ['request.failed', request_id],
    ['request', request_id],
  ])
})

test("the proxy's id is kept where the proxy is trusted", async () => {
  const ask = async (at: typeof server, id: string) =>
    idOf((await at.app.inject({ url: '/readyz', headers: { 'x-request-id': id } })).headers)
  expect(await ask(proxied, 'edge-1.7f_4a')).toBe('edge-1.7f_4a')
  expect(await ask(server, 'edge-1.7f_4a')).toMatch(UUID)
  for (const bad of ['short', 'x'.repeat(65), 'two words', '{"a":"b"}', 'ünïcode-id'])
    expect(await ask(proxied, bad), bad).toMatch(UUID)
})

test('a job that a request wakes has none of its own', async () => {
  const jobs = new JobRunner()
  const job: Job = {
    name: 'a job',
    every: 60_000,
    run: async () => {
      log.info('working')
      return 1
    },
  }
  await jobs.start(server.deps, [])
  withRequestId('the request', () => jobs.wake(job))
  await jobs.idle(job)
  await jobs.close()
  expect(lines).toEqual(['working', 'job.done'].map((msg) => expect.objectContaining({ msg })))
  for (const line of lines) expect(line).not.toHaveProperty('reqId')
})
