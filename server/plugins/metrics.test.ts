import { afterEach, expect, test } from 'vitest'
import { startTestApp, type TestServer } from '../../test/start.ts'

let server: TestServer
afterEach(() => server.close())

const read = ({ remoteAddress = '127.0.0.1', ...headers }: Record<string, string> = {}) =>
  server.app.inject({ url: '/metrics', remoteAddress, headers: { host: 'localhost', ...headers } })

test('metrics are for loopback only, and count the calls that people cause', async () => {
  server = await startTestApp()
  await server.app.inject({ method: 'POST', url: '/api/auth/host/login', headers: { host: 'localhost' }, payload: {} })
  const answer = await read()
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('parley_event_streams 0')
  expect(answer.body).toMatch(
    /parley_http_request_seconds_count\{route="\/api\/auth\/host\/login",method="POST",status="422"\} 1/,
  )
  expect((await read({ remoteAddress: '203.0.113.9' })).statusCode).toBe(404)
})

test('metrics require METRICS_TOKEN where it is set', async () => {
  server = await startTestApp({ config: { METRICS_TOKEN: 'scrape-me-please' } })
  expect((await read()).statusCode).toBe(404)
  expect((await read({ authorization: 'Bearer scrape-me-pleasf' })).statusCode).toBe(404)
  expect((await read({ remoteAddress: '203.0.113.9', authorization: 'Bearer scrape-me-please' })).statusCode).toBe(200)
})

test.each<Record<string, string>>([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-port': '443' },
  { 'cf-connecting-ip': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9' },
  { 'x-real-ip': '203.0.113.9' },
  { via: '1.1 front' },
])('metrics require the token through a proxy on this machine: %j', async (header) => {
  server = await startTestApp()
  expect((await read(header)).statusCode).toBe(404)
})

test('metrics require the token behind a trusted proxy, and always one of our host names', async () => {
  server = await startTestApp({ config: { TRUST_PROXY: true } })
  expect((await read()).statusCode).toBe(404)
  await server.close()
  server = await startTestApp({ config: { METRICS_TOKEN: 'scrape-me-please' } })
  const authorization = 'Bearer scrape-me-please'
  expect((await read({ authorization, host: 'stranger.example' })).statusCode).toBe(421)
  expect((await read({ authorization, 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(200)
})

test('/readyz follows the database, and the process answers without it', async () => {
  server = await startTestApp()
  expect((await server.app.inject('/readyz')).statusCode).toBe(200)
  await server.deps.db.destroy()
  expect((await server.app.inject('/readyz')).statusCode).toBe(503)
  expect((await server.app.inject('/healthz')).statusCode).toBe(200)
})
