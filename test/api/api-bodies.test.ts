import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../factories/accounts.ts'
import { sendRaw } from '../servers/raw-request.ts'
import {
  buildWorld,
  CALLERS,
  exampleRequest,
  type RequestOptions,
  type RouteTestData,
  sendRequest,
  tokenOf,
} from './route-world.ts'

let world: RouteTestData
beforeAll(async () => {
  world = await buildWorld()
})
afterAll(() => world.close())

/** Only accepts a form. */
const FORM = 'POST /api/host/upload-logo'
/** The webhook address reads raw bytes, so it accepts any content type with a signature. */
const RAW = 'POST /api/zoom/webhooks'

/** Lists every call that changes something, with a token that permits it. */
async function changes() {
  const roles = ['master', 'host', 'phone'] as const
  const tokens = new Map<string, string | null>()
  for (const role of roles) tokens.set(role, await tokenOf(world, role))
  return [...world.app.routeList.values()]
    .filter(({ method, url }) => method !== 'GET' && url.startsWith('/api/'))
    .map(({ method, url, config }) => {
      const token = tokens.get(config?.access?.[0] ?? '') ?? null
      return { key: `${method} ${url}`, method: String(method), url, token, access: config?.access ?? [] }
    })
}

async function send(method: string, url: string, token: string | null, type: string, body: BodyInit, more = {}) {
  const headers = { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }), ...more }
  const answer = await fetch(`${world.origin}${url.replaceAll(/:\w+/g, 'x')}`, { method, headers, body })
  return { status: answer.status, body: await answer.json() }
}

describe('a page of another site cannot make changes', () => {
  test.each([
    ['text/plain', '{"username":"x"}'],
    ['text/plain; x=application/json', '{}'],
    ['application/x-www-form-urlencoded', 'username=x&password=y'],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'],
    ['application/xml', '<a/>'],
    ['application/jsonx', '{}'],
  ])('by %s', async (type, body) => {
    for (const { key, method, url, token } of await changes()) {
      const { status, body: answer } = await send(method, url, token, type, body)
      if (key === FORM) expect(answer.success).toBe(false)
      else
        expect({ key, status, code: answer.code }).toEqual(
          key === RAW ? { key, status: 401, code: 'bad_signature' } : { key, status: 415, code: 'not_json' },
        )
      if (token) expect((await send(method, url, null, type, body)).status, key).toBe(401)
    }
  })

  test('with a cookie', async () => {
    const token = (await tokenOf(world, 'host')) ?? ''
    const headers = { cookie: `token=${token}; parley.token=${token}; authorization=Bearer ${token}` }
    expect(await sendRequest(world, 'GET', { path: '/api/host/profile', headers }, null)).toMatchObject({ status: 401 })
    const login = await fetch(`${world.origin}/api/auth/host/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: world.host.username, password: PASSWORD }),
    })
    expect([login.status, login.headers.getSetCookie()]).toEqual([200, []])
  })

  test('with a GET', async () => {
    const rows = async () => {
      const tables = ['hosts', 'rooms', 'room_users', 'app_info', 'recordings', 'subscription_changes'] as const
      const all = tables.map((table) => world.deps.db.selectFrom(table).selectAll().execute())
      return JSON.stringify(await Promise.all(all))
    }
    await sendRequest(world, 'GET', { path: '/api/recordings?fetch_live=true' }, await tokenOf(world, 'host'))
    const requests = []
    for (const { method, url, config } of world.app.routeList.values()) {
      if (method !== 'GET' || !url.startsWith('/api/')) continue
      const caller = CALLERS.find((role) => role === config?.access?.[0]) ?? 'anonymous'
      const token = await tokenOf(world, caller)
      requests.push({ request: await exampleRequest(world, `GET ${url}`), token })
    }
    const before = await rows()
    for (const { request, token } of requests) await sendRequest(world, 'GET', request, token)
    expect(await rows()).toBe(before)
  })
})

describe('refuses an oversized body cheaply', () => {
  const big = Buffer.alloc(10 * 1024 * 1024, 'x')
  const most = Buffer.from(JSON.stringify({ username: 'x'.repeat(1024 * 1024) }))
  const deepList = '['.repeat(200_000) + ']'.repeat(200_000)
  const deepObject = `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`
  const manyKeys = `{${Array.from({ length: 100_000 }, (_, place) => `"${place}":1`).join(',')}}`

  test('by its length, on every call', async () => {
    for (const { key, method, url, token } of await changes()) {
      const { status, body } = await send(method, url, token, 'application/json', most)
      expect({ key, status, code: body.code }).toEqual({ key, status: 413, code: 'too_large' })
    }
  })

  test('sooner from those who have not signed in, and from phones', async () => {
    const isTooLarge = async (one: { method: string; url: string; token: string | null }, kib: number) => {
      const body = JSON.stringify({ x: 'x'.repeat(kib * 1024) })
      return (await send(one.method, one.url, one.token, 'application/json', body)).body.code === 'too_large'
    }
    for (const change of await changes()) {
      const { key, access } = change
      const most = key === RAW ? 1024 : access.includes('public') ? 16 : access.includes('phone') ? 64 : 1024
      expect({ key, isTooLarge: await isTooLarge(change, most) }).toEqual({ key, isTooLarge: true })
      const isTried = /(status|login|link-owner|\/import)$/.test(key) // without an effect on later calls
      if (isTried) expect({ key, isTooLarge: await isTooLarge(change, most - 1) }).toEqual({ key, isTooLarge: false })
    }
  })

  test.each([
    ['10 MB', big, {}, 413],
    ['200,000 lists in one another', deepList, {}, 400],
    ['150,000 objects in one another', deepObject, {}, 400],
    ['33 lists in one another', '['.repeat(33) + ']'.repeat(33), {}, 400],
    ['100,000 keys', manyKeys, {}, 422],
    ['a small body that decompresses to a large one', gzipSync(big), { 'content-encoding': 'gzip' }, 400],
  ])('%s', async (_what, body, headers, expected) => {
    const key = { 'idempotency-key': crypto.randomUUID(), ...headers }
    const token = await tokenOf(world, 'host')
    const { status } = await send('POST', '/api/host/users', token, 'application/json', body, key)
    expect(status).toBe(expected)
  })

  test('deeply nested, also where the body is not read', async () => {
    const token = await tokenOf(world, 'host')
    const url = `/api/host/users/${world.user.id}/mute`
    const key = { 'idempotency-key': crypto.randomUUID() }
    expect((await send('POST', url, token, 'application/json', deepList, key)).status).toBe(400)
    const brackets = JSON.stringify({ reference: '[{'.repeat(100) }) // brackets inside a text do not count as nesting
    expect((await send('POST', url, token, 'application/json', brackets, key)).status).toBe(200)
  })
})

test.each([
  ['a NUL', '\\u0000', 400],
  ['a high surrogate', 'a\\ud83d', 400],
  ['a low surrogate', '\\\\\\uDE00', 400],
  ['surrogates in the wrong order', '\\ude00\\ud83d', 400],
  ['a surrogate pair', 'a\\ud83d\\ude00', 200],
  ['the escape sequence as text', '\\\\ud83d', 200],
])('%s, escaped, is refused where text cannot contain it', async (_what, escaped, expected) => {
  const body = `{"username":"${escaped}${crypto.randomUUID().slice(0, 8)}","user_id":"${crypto.randomUUID().slice(0, 8)}","password":"lamp"}`
  const { status } = await send('POST', '/api/host/users', await tokenOf(world, 'host'), 'application/json', body)
  expect(status).toBe(expected)
})

describe('malformed HTTP gets our error body', () => {
  test.each([
    [
      'two lengths',
      'POST /api/auth/verify HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
      400,
    ],
    [
      'a length and chunks',
      'POST /api/auth/verify HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a bad chunk',
      'POST /api/auth/host/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    [
      'too large a header',
      `GET /api/host/profile HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`,
      431,
    ],
    ['binary data', '\u0000\u0001\r\n\r\n', 400],
    ['an unknown method', 'BREW /api/host/profile HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
  ])('%s', async (_what, text, status) => {
    const answer = await sendRaw(world.origin, text)
    expect(answer.split('\r\n')[0]).toContain(` ${status} `)
    expect(answer).toMatch(/^x-request-id: [\da-f-]{36}\r$/im)
    expect(answer).not.toMatch(/[hp]pe_|node|fastify|stack/i)
    expect((await sendRequest(world, 'GET', { path: '/healthz' } satisfies RequestOptions, null)).status).toBe(200)
  })

  test('no Host header, to which Node answers by itself', async () => {
    const answer = await sendRaw(world.origin, 'GET /api/host/profile HTTP/1.1\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).not.toMatch(/[hp]pe_|node|fastify|stack/i)
  })
})
