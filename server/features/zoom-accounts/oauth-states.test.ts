import { describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call } from '../../../test/factories/accounts.ts'
import { setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

const now = Date.parse('2026-11-21T10:00:00Z')

const server = await setupWithZoom({ now: () => now })

const POPUP = 'http://master.localhost:3000/oauth-success'
const paramsOf = (url: URL) => Object.fromEntries(url.searchParams)

describe('GET /api/oauth/url', () => {
  test("returns Zoom's consent page with our redirect, a state and a challenge, and no scope", async () => {
    const master = await buildMaster(server)
    const query = new URLSearchParams({ email: 'ana@example.com', return_url: POPUP })
    const { status, headers, body } = await call(server, 'GET', `/oauth/url?${query}`, { as: master })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    const url = new URL(body.auth_url)
    expect(`${url.origin}${url.pathname}`).toBe(`${server.zoom.origin}/oauth/authorize`)
    expect(paramsOf(url)).toEqual({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'http://localhost:3000/api/oauth/callback',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const stored = await server.deps.db.selectFrom('oauth_states').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(url.searchParams.get('state'))
  })

  test('is for masters only', async () => {
    const query = new URLSearchParams({ email: 'ana@example.com', return_url: POPUP })
    expect((await call(server, 'GET', `/oauth/url?${query}`)).status).toBe(401)
    expect((await call(server, 'GET', `/oauth/url?${query}`, { as: await buildHost(server) })).status).toBe(403)
  })

  test('returns 404 for an unknown host', async () => {
    const master = await buildMaster(server)
    for (const host_id of ['7d9f8a3e-0000-4000-8000-000000000000', 'nonsense']) {
      const query = new URLSearchParams({ email: 'ana@example.com', return_url: POPUP, host_id })
      expect((await call(server, 'GET', `/oauth/url?${query}`, { as: master })).status).toBe(404)
    }
  })

  test.each([
    'http://localhost:3000/oauth-success',
    'http://master.localhost:3000/master/hosts/add?x=1',
    'http://host.localhost:3000/',
  ])('accepts %s as return_url', async (return_url) => {
    const query = new URLSearchParams({ email: 'ana@example.com', return_url })
    expect((await call(server, 'GET', `/oauth/url?${query}`, { as: await buildMaster(server) })).status).toBe(200)
  })

  test('refuses any other return_url', async () => {
    const master = await buildMaster(server)
    const elsewhere = [
      '',
      '/oauth-success',
      '//evil.test/oauth-success',
      '\\\\evil.test',
      'https://master.localhost:3000/oauth-success',
      'http://master.localhost/oauth-success',
      'http://master.localhost:3001/oauth-success',
      'http://master.localhost:3000.evil.test/',
      'http://master.localhost:3000@evil.test/',
      'http://master.localhost:3000:x@evil.test/',
      'http://user@master.localhost:3000/oauth-success',
      'http://evil.master.localhost:3000/',
      'http://xmaster.localhost:3000/',
      'http://phone.localhost:3000/oauth-success', // has no console
      'http://meeting.phone.localhost:3000/oauth-success',
      'http://evil.test/?http://master.localhost:3000/',
      'http://evil.test\\@master.localhost:3000/',
      'http://master.localhost:3000\\@evil.test/',
      'http://master.localhost:3000/%0d%0aset-cookie:a=b',
      'http://mаster.localhost:3000/',
      'http://master.localhost:3000/\tx',
      ' http://master.localhost:3000/',
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://master.localhost:3000/',
      'null',
    ]
    for (const return_url of elsewhere) {
      const query = new URLSearchParams({ email: 'ana@example.com', return_url })
      const refused = await call(server, 'GET', `/oauth/url?${query}`, { as: master })
      expect(refused, return_url).toMatchObject({ status: 422, body: { errors: [{ path: 'return_url' }] } })
    }
  })

  test.each(['', '?email=', '?email=%20'])('refuses a missing email: %j', async (query) => {
    const msg = 'Please enter the host email first to integrate with Zoom'
    const { status, body } = await call(server, 'GET', `/oauth/url${query}`, { as: await buildMaster(server) })
    expect([status, body.message, body.errors[0]]).toEqual([422, msg, { path: 'email', msg }])
  })
})
