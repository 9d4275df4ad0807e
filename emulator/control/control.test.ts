import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ANA, fetchJson, RAVI, startApp } from '../../test/zoom/connected-app.ts'

let zoom: Awaited<ReturnType<typeof startApp>>

beforeAll(async () => {
  zoom = await startApp()
})
beforeEach(() => zoom.reset())
afterAll(() => zoom.close())

const fault = (body: object) => zoom.control('/faults', body)

test('applies a fault to the named call, as many times as given', async () => {
  const ana = await zoom.connect(ANA)
  const ravi = await zoom.connect(RAVI)
  const body = { kind: 'status', status: 429, code: 429, times: 2, headers: { 'retry-after': '3' } }
  await fault({ match: { path: '/v2/users/*', method: 'GET', email: ANA }, ...body })

  expect((await ravi.call('GET', '/users/me')).status).toBe(200)
  const limited = await ana.call('GET', '/users/me')
  expect(limited).toMatchObject({ status: 429, body: { code: 429 } })
  expect(limited.headers.get('retry-after')).toBe('3')
  expect((await ana.call('GET', '/users/me/settings')).status).toBe(429)
  expect((await ana.call('GET', '/users/me')).status).toBe(200)
})

test('applies a fault to a token refresh, as an OAuth error or as XML', async () => {
  const { refresh_token } = await zoom.connect(ANA)
  const refresh = () => zoom.token({ grant_type: 'refresh_token', refresh_token })
  const match = { path: '/oauth/token', email: ANA }
  await fault({ match, kind: 'status', status: 400, error: 'invalid_grant', message: 'Invalid Token!' })
  await fault({ match, kind: 'xml', status: 503 })
  expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant', reason: 'Invalid Token!' } })
  const xml = await refresh()
  expect(xml.status).toBe(503)
  expect(xml.headers.get('content-type')).toContain('application/xml')
  expect((await refresh()).status).toBe(200)
})

test('returns a page instead of JSON, drops the connection or delays the answer, until cleared', async () => {
  const { call } = await zoom.connect(ANA)
  await fault({ kind: 'html' })
  expect(await call('GET', '/users/me')).toMatchObject({ status: 200, body: expect.stringContaining('<html') })
  await fault({ kind: 'drop' })
  await expect(call('GET', '/users/me')).rejects.toThrow()

  await fault({ kind: 'slow', delay_ms: 60_000, times: 0 })
  const url = `${zoom.apiUrl}/users/me`
  await expect(fetch(url, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout')
  await zoom.control('/faults', {}, 'DELETE')
  expect((await call('GET', '/users/me')).status).toBe(200)
})

test('adds and changes an account', async () => {
  await zoom.control('/accounts', { email: 'lee@choir.example', display_name: 'Lee Choi', pmi: null })
  const lee = await zoom.connect('lee@choir.example')
  expect((await lee.call('GET', '/users/me')).body).not.toHaveProperty('pmi')

  await zoom.control('/accounts', { email: 'LEE@choir.example', type: 1 })
  expect((await lee.call('GET', '/users/me')).body).toMatchObject({ type: 1, display_name: 'Lee Choi' })
  expect((await lee.call('GET', '/users/me/settings')).body.recording.cloud_recording).toBe(false)
})

test('expired tokens force a refresh, or a new connection', async () => {
  const { call, refresh_token } = await zoom.connect(ANA)
  await zoom.control('/tokens/expire', { email: ANA })
  expect(await call('GET', '/users/me')).toMatchObject({ status: 401, body: { code: 124 } })
  const next = await zoom.token({ grant_type: 'refresh_token', refresh_token })
  expect(next.status).toBe(200)
  await zoom.control('/tokens/expire', { email: ANA, refresh: true })
  const dead = await zoom.token({ grant_type: 'refresh_token', refresh_token: next.body.refresh_token })
  expect(dead).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('refuses a call to an unknown path, and records it', async () => {
  const { call } = await zoom.connect(ANA)
  expect(await call('GET', '/users/me/presence?x=1')).toMatchObject({ status: 404, body: { code: 2300 } })
  expect((await zoom.control('/state')).body.unknown_paths).toEqual(['GET /v2/users/me/presence?x=1'])
})

test('names the mistake in a control call', async () => {
  expect(await fault({ kind: 'earthquake' })).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  expect((await zoom.control('/options', { no_such: true })).status).toBe(400)
  expect((await zoom.control('/meetings/123456789/start', {})).status).toBe(404)
})

test('a reset restores the seed: accounts, tokens, faults, options, webhooks and clock', async () => {
  const { call } = await zoom.connect('someone@new.example')
  const before = (await zoom.control('/state')).body.accounts[0].id
  await fault({ kind: 'drop', times: 0 })
  await zoom.control('/options', { coop: true })
  await zoom.control('/clock', { advance_seconds: 1e6 })
  await zoom.control('/webhooks/endpoint', { url: 'http://127.0.0.1:9/', secret: 'x' })
  await zoom.control('/webhooks', { event: 'any' })
  await zoom.control('/reset', {})

  const state = (await zoom.control('/state')).body
  expect(state.accounts).toHaveLength(5)
  expect(state.accounts[0].id).toBe(before)
  expect(state).toMatchObject({ faults: [], unknown_paths: [], options: { coop: false } })
  expect(Date.parse(state.now)).toBeLessThan(Date.now() + 1000)
  expect((await zoom.control('/webhooks')).body.deliveries).toEqual([])
  expect((await call('GET', '/users/me')).status).toBe(401)
})

test('the state page shows the state, and web pages cannot make control calls', async () => {
  const page = await fetchJson(`${zoom.origin}/_emulator/`, {})
  expect(page.body).toContain(ANA)
  const foreign = { method: 'POST', headers: { origin: 'http://evil.example' } }
  expect((await fetchJson(`${zoom.origin}/_emulator/reset`, foreign)).status).toBe(403)
})

test.each(['evil.example', 'evil.localhost', 'localhost.evil.example', '127.0.0.1.evil.example', ''])(
  'a page whose name %j leads to this machine reads nothing',
  async (name) => {
    const { port } = new URL(zoom.origin)
    const read = async (host: string) => {
      const asked = get({ host: '127.0.0.1', port, path: '/_emulator/state', headers: { host } })
      const [answer] = await once(asked, 'response')
      answer.resume()
      return answer.statusCode
    }
    expect(await read(`${name}:${port}`)).toBe(403)
    expect(await read(`localhost:${port}`)).toBe(200)
  },
)

test('has no control calls where control is off', async () => {
  const closed = await startApp({ control: false })
  expect((await closed.control('/state')).status).toBe(404)
  expect((await closed.control('/reset', {})).status).toBe(404)
  await closed.close()
})

test('accepts earlier tokens after a restart', async () => {
  const stateFile = join(await mkdtemp(join(tmpdir(), 'emulator-')), 'zoom.json')
  const first = await startApp({ stateFile })
  const { access_token } = await first.connect(ANA)
  await first.close()
  expect(JSON.parse(await readFile(stateFile, 'utf8')).access_tokens).toHaveLength(1)

  const second = await startApp({ stateFile })
  const headers = { authorization: `Bearer ${access_token}` }
  expect((await fetchJson(`${second.apiUrl}/users/me`, { headers })).body).toMatchObject({ email: ANA })
  await second.close()
})
