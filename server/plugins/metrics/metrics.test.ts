import { expect, test } from 'vitest'
import { setup } from '../../../test/servers/setup.ts'
import type { TestServer } from '../../../test/servers/start.ts'

const server = await setup()
const withToken = await setup({ config: { METRICS_TOKEN: 'scrape-me-please' } })
const trusting = await setup({ config: { TRUST_PROXY: true } })

const read = (one: TestServer, { remoteAddress = '127.0.0.1', ...headers }: Record<string, string> = {}) =>
  one.app.inject({ url: '/metrics', remoteAddress, headers: { host: 'localhost', ...headers } })

test('metrics are for loopback only, and count the calls that people cause', async () => {
  await server.app.inject({ method: 'POST', url: '/api/auth/host/login', headers: { host: 'localhost' }, payload: {} })
  const answer = await read(server)
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('parley_event_streams{kind="phone"} 0')
  expect(answer.body).toMatch(
    /parley_http_request_seconds_count\{route="\/api\/auth\/host\/login",method="POST",status="422"\} 1/,
  )
  expect((await read(server, { remoteAddress: '203.0.113.9' })).statusCode).toBe(404)
})

test('metrics require METRICS_TOKEN where it is set', async () => {
  const authorization = 'Bearer scrape-me-please'
  expect((await read(withToken)).statusCode).toBe(404)
  expect((await read(withToken, { authorization: 'Bearer scrape-me-pleasf' })).statusCode).toBe(404)
  expect((await read(withToken, { remoteAddress: '203.0.113.9', authorization })).statusCode).toBe(200)
})

test.each<Record<string, string>>([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-port': '443' },
  { 'cf-connecting-ip': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9' },
  { 'x-real-ip': '203.0.113.9' },
  { via: '1.1 front' },
])('metrics require the token through a proxy on this machine: %j', async (header) => {
  expect((await read(server, header)).statusCode).toBe(404)
})

test('metrics require the token behind a trusted proxy, and always one of our host names', async () => {
  expect((await read(trusting)).statusCode).toBe(404)
  const authorization = 'Bearer scrape-me-please'
  expect((await read(withToken, { authorization, host: 'stranger.example' })).statusCode).toBe(421)
  expect((await read(withToken, { authorization, 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(200)
})
