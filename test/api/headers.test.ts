import type { OutgoingHttpHeaders } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, requestStream, type TestHost } from '../factories/accounts.ts'
import { sendRaw } from '../servers/raw-request.ts'
import { setup } from '../servers/setup.ts'
import { startTestApp } from '../servers/start.ts'
import { openStream } from '../servers/stream.ts'

const server = await setup({ keepData: true })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
const secure = await setup({
  config: { PUBLIC_URL: 'https://parley.example', MASTER_HOSTNAME: 'master.parley.example', TRUST_PROXY: true },
})
let host: TestHost
beforeAll(async () => {
  host = await buildHost(server)
})

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' = 'GET') =>
  server.app.inject({ method, url, headers: { host: 'localhost:3000', ...headers } })

const policyIn = (headers: OutgoingHttpHeaders) =>
  Object.fromEntries(
    String(headers['content-security-policy'])
      .split(';')
      .map((part) => part.trim().split(/ (.*)/)),
  )

/** Pages respond alike whether or not the console is built. */
const PAGES = ['/', '/login', '/host/dashboard', '/master/hosts', '/oauth-success', '/oauth-error?x=1', '/nowhere']
/** A response of each kind: success, refusal, not found, error, probes. */
const ANSWERS = [
  '/api/openapi.json',
  '/api/auth/verify',
  '/api/host/users',
  '/api/nothing/here',
  '/api/admin/hosts/%',
  `/api/admin/hosts/${'x'.repeat(400)}`,
  '/api/recordings/media/x',
  '/api/oauth/callback',
  '/healthz',
  '/readyz',
]

describe('every answer has security headers', () => {
  test.each([...PAGES, ...ANSWERS, '/api/docs', '/api/docs/', '/assets/', '/.env'])('%s', async (url) => {
    const { headers } = await get(url)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("base-uri 'none'")
    expect(headers['content-security-policy']).not.toMatch(/unsafe-eval|script-src[^;]*(unsafe-inline|\*|https?:)/)
    expect(headers['cache-control']).toContain('no-store')
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('strict-transport-security')
    if (headers['content-length'] !== '0') expect(headers['content-type']).toMatch(/charset=utf-8/)
  })

  test.each(PAGES)('the page at %s may load nothing from elsewhere and use no device features', async (url) => {
    const { headers } = await get(url)
    expect(policyIn(headers)).toEqual({
      'default-src': "'self'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'media-src': "'self'",
      'connect-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    })
    expect(headers['permissions-policy']).toMatch(/camera=\(\).*microphone=\(\).*geolocation=\(\)/)
    expect(headers['permissions-policy']).not.toContain('clipboard')
  })

  test.each([
    ['/', 'same-origin-allow-popups'],
    ['/master/hosts?modal=add-host', 'same-origin-allow-popups'],
    ['/oauth-success?oauth_result=x', 'unsafe-none'],
    ['/oauth-error', 'unsafe-none'],
  ])('the page at %s has the opener policy %s', async (url, policy) => {
    expect((await get(url)).headers['cross-origin-opener-policy']).toBe(policy)
  })

  test('including the event stream', async () => {
    const { sseUrl } = (await requestStream(server, host)).body
    const leaving = new AbortController()
    const answer = await fetch(`${origin}${sseUrl}`, { signal: leaving.signal })
    leaving.abort()
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const stream = await openStream(`${origin}${sseUrl}`)
    await stream.next('test')
    stream.close()
  })

  test.each(['/', '/api/host/users', '/healthz', '/api/admin/hosts/%'])(
    'sends HSTS for a year where the address is https: %s',
    async (url) => {
      const { headers } = await secure.app.inject({ url, headers: { host: 'parley.example' } })
      expect(headers['strict-transport-security']).toMatch(/^max-age=31536000\b/)
    },
  )
})

describe('no other site may read an answer', () => {
  const ORIGINS = [
    'https://evil.test',
    'null',
    'http://localhost:3000.evil.test',
    'http://evil-localhost:3000',
    'http://localhost:30000',
    'http://master.localhost.evil.test:3000',
    'https://localhost:3000',
    'http://meeting.phone.localhost:3000',
    'http://host.localhost:3000',
    'http://phone.localhost:3000',
  ]
  test.each(ORIGINS)('%s', async (from) => {
    for (const url of [
      '/',
      '/api/host/users',
      '/api/openapi.json',
      '/api/docs/',
      '/api/docs/js/scalar.js',
      '/healthz',
    ]) {
      const asked = {
        origin: from,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      }
      for (const method of ['GET', 'OPTIONS', 'POST'] as const) {
        const { headers } = await get(url, { ...asked, authorization: `Bearer ${host.token}` }, method)
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
    }
  })

  test('or open a stream, even with a valid ticket', async () => {
    for (const from of ORIGINS.slice(0, -2)) {
      const { sseUrl } = (await requestStream(server, host)).body
      const answer = await get(sseUrl, { origin: from })
      expect([answer.statusCode, answer.json().code], from).toEqual([403, 'not_allowed'])
    }
  })
})

describe('the phone site', () => {
  const PHONE = { host: 'phone.localhost:3000' }
  const MEETING = 'http://meeting.phone.localhost:3000'

  test.each(['/', '/anything', '/favicon.svg'])(
    'at %s lets the microphone be used here and in the frame of the meeting, and nothing come from elsewhere but a logo',
    async (url) => {
      const { headers } = await get(url, PHONE)
      expect(policyIn(headers)).toEqual({
        'default-src': "'self'",
        'script-src': "'self'",
        'style-src': "'self'",
        'img-src': "'self' data: https:",
        'media-src': "'self' blob:",
        'connect-src': "'self'",
        'frame-src': MEETING,
        'worker-src': "'self'",
        'object-src': "'none'",
        'base-uri': "'none'",
        'form-action': "'self'",
        'frame-ancestors': "'none'",
      })
      const permissions = String(headers['permissions-policy']).split(', ')
      expect(permissions).toContain(`microphone=(self "${MEETING}")`)
      expect(permissions).toContain(`autoplay=(self "${MEETING}")`)
      expect(permissions).toContain('screen-wake-lock=(self)')
      expect(permissions).toContain('camera=()')
    },
  )

  test('keeps its page apart from what opens it', async () => {
    expect((await get('/', PHONE)).headers['cross-origin-opener-policy']).toBe('same-origin')
  })

  test('has the API but not its page, and may open a stream', async () => {
    expect((await get('/api/openapi.json', PHONE)).statusCode).toBe(200)
    for (const url of ['/api/docs', '/api/docs/', '/%61pi/docs/'])
      expect([url, (await get(url, PHONE)).statusCode]).toEqual([url, 404])
    const { sseUrl } = (await requestStream(server, host)).body
    const leaving = new AbortController()
    const answer = await fetch(`${origin}${sseUrl}`, {
      headers: { origin: 'http://phone.localhost:3000' },
      signal: leaving.signal,
    })
    leaving.abort()
    expect(answer.status).toBe(200)
  })
})

describe('the frame of the meeting', () => {
  const MEETING = { host: 'meeting.phone.localhost:3000' }
  const ZOOMS = {
    'default-src': "'self'",
    'script-src':
      "'self' https://source.zoom.us 'wasm-unsafe-eval' blob: 'unsafe-inline' 'unsafe-eval' https://zoom.us https://*.zoom.us",
    'style-src': "'self' 'unsafe-inline' https://source.zoom.us",
    'img-src': "'self' data: blob: https://source.zoom.us https://*.zoom.us",
    'font-src': "'self' https://source.zoom.us https://*.zoom.us",
    'media-src': "'self' blob: https://source.zoom.us https://*.zoom.us",
    'connect-src': "'self' https://source.zoom.us https://zoom.us https://*.zoom.us wss://*.zoom.us",
    'worker-src': "'self' blob:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': 'http://phone.localhost:3000',
  }
  const EMULATED = {
    ...ZOOMS,
    'script-src': "'self' http://localhost:3001 'wasm-unsafe-eval' blob:",
    'style-src': "'self' 'unsafe-inline' http://localhost:3001",
    'img-src': "'self' data: blob: http://localhost:3001",
    'font-src': "'self' http://localhost:3001",
    'media-src': "'self' blob: http://localhost:3001",
    'connect-src': "'self' http://localhost:3001 ws://localhost:3001",
  }

  const emulator = { ZOOM_CLIENT_ID: 'parley-demo', ZOOM_SDK_URL: 'http://localhost:3001/sdk' }

  test('never loads code from the machine of its visitors', async () => {
    const names = { PUBLIC_URL: 'https://parley.example', PHONE_HOSTNAME: 'phone.parley.example' }
    const other = await startTestApp({ config: { ...emulator, ...names } })
    const { headers } = await other.app.inject({ url: '/', headers: { host: 'meeting.phone.parley.example' } })
    await other.close()
    expect(policyIn(headers)['script-src']).toBe("'self' 'wasm-unsafe-eval' blob:")
    expect(headers['content-security-policy']).not.toContain('localhost')
  })

  test.each([
    ['Zoom', {}, ZOOMS],
    ['the emulator', emulator, EMULATED],
  ])(
    'may load what the Meeting SDK of %s needs, and only the phone app may frame it',
    async (_whose, config, policy) => {
      const other = await startTestApp({ config })
      const { headers } = await other.app.inject({ url: '/', headers: MEETING })
      await other.close()
      expect(policyIn(headers)).toEqual(policy)
      expect(headers).not.toHaveProperty('x-frame-options')
      const permissions = String(headers['permissions-policy']).split(', ')
      expect(permissions).toContain('microphone=(self)')
      expect(permissions).toContain('autoplay=(self)')
      expect(permissions).toContain('camera=()')
    },
  )

  test('of the host’s seat may be framed by the host site alone, and never uses the microphone', async () => {
    const headersAt = async (url: string, name = MEETING.host) =>
      (await server.app.inject({ url, headers: { host: name } })).headers
    const SEAT = { ...ZOOMS, 'frame-ancestors': 'http://host.localhost:3000' }
    for (const url of ['/seat', '/seat?x=1', '/seat/', '/seat/left']) {
      const headers = await headersAt(url)
      expect([url, policyIn(headers)]).toEqual([url, SEAT])
      expect(headers).not.toHaveProperty('x-frame-options')
      expect(String(headers['permissions-policy']).split(', ')).toContain('microphone=()')
    }
    for (const url of ['/', '/left', '/seats', '/%73eat', '/?/seat'])
      expect([url, policyIn(await headersAt(url))]).toEqual([url, ZOOMS])
    expect(policyIn(await headersAt('/host/online', 'host.localhost:3000'))).toMatchObject({
      'frame-src': 'http://meeting.phone.localhost:3000',
      'frame-ancestors': "'none'",
    })
    expect(String((await headersAt('/', 'host.localhost:3000'))['permissions-policy'])).toContain('microphone=()')
    for (const name of ['localhost:3000', 'master.localhost:3000'])
      expect(policyIn(await headersAt('/seat', name))).not.toHaveProperty('frame-src')
  })

  test('of a seat with sound may use the microphone, which its console lends it', async () => {
    const other = await startTestApp({ config: { HOST_SEAT_SOUND: true } })
    const permissionsAt = async (url: string, name: string) =>
      String((await other.app.inject({ url, headers: { host: name } })).headers['permissions-policy']).split(', ')
    expect(await permissionsAt('/seat', MEETING.host)).toContain('microphone=(self)')
    const lent = 'microphone=(self "http://meeting.phone.localhost:3000")'
    expect(await permissionsAt('/host/online', 'host.localhost:3000')).toContain(lent)
    expect(await permissionsAt('/', 'master.localhost:3000')).toContain('microphone=()')
    await other.close()
  })

  test('has no page for a seat where HOST_SEAT is off, and no console may frame it', async () => {
    const other = await startTestApp({ config: { HOST_SEAT: false } })
    const headersAt = async (url: string, headers: object) =>
      (await other.app.inject({ url, headers: { ...headers } })).headers
    expect(policyIn(await headersAt('/seat', MEETING))).toEqual(ZOOMS)
    expect(policyIn(await headersAt('/', { host: 'host.localhost:3000' }))).not.toHaveProperty('frame-src')
    await other.close()
  })

  test.each(['/api', '/api/openapi.json', '/api/docs/', '/api/auth/verify', '/%61pi/openapi.json', '/api/nothing'])(
    'has no API: %s',
    async (url) => {
      const { statusCode, body } = await get(url, MEETING)
      expect([statusCode, JSON.parse(body).code]).toEqual([404, 'not_found'])
    },
  )
})

test('each site has the same documentation of the API, under the same policy', async () => {
  const pages = []
  for (const site of ['localhost:3000', 'host.localhost:3000', 'master.localhost:3000']) {
    const { statusCode, headers, body } = await get('/api/docs/', { host: site })
    pages.push({ statusCode, policy: headers['content-security-policy'], body: body.replaceAll(site, 'SITE') })
  }
  expect(pages[0]).toMatchObject({ statusCode: 200, body: expect.stringContaining('scalar') })
  expect(pages[1]).toEqual(pages[0])
  expect(pages[2]).toEqual(pages[0])
})

describe('the server answers only to its own host names', () => {
  test.each([
    'evil.test',
    'localhost.evil.test',
    'evil.localhost',
    'evil.phone.localhost',
    'localhost@evil.test',
    '169.254.169.254',
    'localhost:x',
  ])('not to %j', async (name) => {
    for (const url of ['/', '/api/openapi.json', '/api/auth/verify', '/.env']) {
      const { statusCode, headers, body } = await get(url, { host: name })
      expect([statusCode, JSON.parse(body).code], url).toEqual([421, 'misdirected'])
      expect(headers['x-content-type-options']).toBe('nosniff')
      if (name) expect(body).not.toContain(name)
    }
  })

  test.each([
    'localhost',
    'LOCALHOST:3000',
    '127.0.0.1:1234',
    '[::1]:3000',
    'master.localhost',
    'host.localhost:3000',
    'phone.localhost',
  ])('but to %s', async (name) => {
    expect((await get('/api/openapi.json', { host: name })).statusCode).toBe(200)
  })

  test('and builds no URL from a request’s headers', async () => {
    const spoofed = {
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'gopher',
      'x-forwarded-port': '666',
      'x-original-host': 'evil.test',
      forwarded: 'host=evil.test;proto=gopher',
    }
    for (const one of [server, secure]) {
      const own = one === server ? 'localhost:3000' : 'parley.example'
      const headers = { ...spoofed, host: own }
      const room = await buildHost(one, {}).catch(() => null)
      const master = await buildMaster(one)
      const as = room ?? host
      if (room) {
        const { body } = await call(one, 'GET', '/host/details', { as, headers })
        const stream = await call(one, 'POST', '/mobile/sse-session', { as, headers, body: { room_id: body.room_id } })
        expect(stream.body.sseUrl).toMatch(/^\/api\/mobile\/events\/[\w-]+$/)
      }
      const back = one === server ? 'http://master.localhost:3000' : 'https://master.parley.example'
      const url = `/oauth/url?email=a@example.com&return_url=${back}/oauth-success`
      const consent = await call(one, 'GET', url, { as: master, headers })
      expect(consent.body.auth_url).not.toMatch(/evil|gopher|666/)
      const redirect = new URL(consent.body.auth_url).searchParams.get('redirect_uri')
      expect(redirect).toBe(`${one.deps.config.PUBLIC_URL}/api/oauth/callback`)
      for (const path of ['/api/oauth/callback?state=x', '/api/docs', '/', '/oauth-error']) {
        const answer = await one.app.inject({ url: path, headers })
        expect(`${answer.headers.location} ${answer.body}`).not.toMatch(/evil\.test|gopher|:666/)
      }
      const refused = await one.app.inject({
        url: '/',
        headers: { ...spoofed, 'x-forwarded-host': own, host: 'evil.test' },
      })
      expect(refused.statusCode).toBe(421)
    }
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 127.0.0.1, 203.0.113.8', '203.0.113.8'],
])('with X-Forwarded-For %s trusts only what the nearest proxy added', async (given, seen) => {
  const payload = { username: 'nobody', password: 'a guess' }
  for (const [one, host, ip] of [
    [secure, 'parley.example', seen],
    [server, 'localhost:3000', '127.0.0.1'],
  ] as const) {
    const headers = { host, 'x-forwarded-for': given }
    await one.app.inject({ method: 'POST', url: '/api/auth/host/login', headers, payload })
    const failed = one.deps.db.selectFrom('audit').select('ip').where('action', '=', 'host_login_failed')
    expect(await failed.orderBy('seq', 'desc').executeTakeFirst()).toEqual({ ip })
  }
})

describe('files and paths that must not be found', () => {
  test.each([
    ...['/.git/config', '/.git/HEAD', '/.env', '/.env.example', '/%2egit/config', '/%2Eenv', '/package.json'],
    ...[
      '/assets/',
      '/assets',
      '/assets/index.js.map',
      '/app/main.tsx',
      '/server/main.ts',
      '/data/secret-key',
      '/index.html',
    ],
    ...['/../package.json', '/..%2fpackage.json', '/assets/..%2f..%2f..%2fpackage.json', '/debug', '/server-status'],
    ...[
      '/api',
      '/api/',
      '/api/.env',
      '/api/debug',
      '/api/_emulator/state',
      '/_emulator/state',
      '/logos/',
      '/logos/..%2fsecret-key',
    ],
  ])('%s', async (url) => {
    const { statusCode, headers, body } = await get(url)
    const isPage = [200, 503].includes(statusCode) && !/\.|%2e|^\/api(\/|$)|^\/assets\//i.test(url)
    if (!isPage) expect([url, statusCode]).toEqual([url, 404])
    expect(body).not.toMatch(/"dependencies"|\[core\]|SECRET_KEY|Index of/)
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  test.each(['TRACE', 'TRACK', 'CONNECT', 'PATCH', 'PROPFIND'])('refuses %s without echoing it', async (method) => {
    const head = `${method} /api/host/profile HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-canary: kept-back`
    const answer = await sendRaw(origin, `${head}\r\n\r\n`)
    expect(answer).not.toMatch(/^HTTP\/1\.1 2/)
    expect(answer).not.toContain('kept-back')
  })
})
