import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ANA, CALLBACK, fetchJson, startApp } from '../../test/zoom/connected-app.ts'

let zoom: Awaited<ReturnType<typeof startApp>>
let now = Date.parse('2026-10-04T12:00:00Z')

beforeAll(async () => {
  zoom = await startApp({ now: () => now })
})
beforeEach(() => zoom.reset())
afterAll(() => zoom.close())

const verifier = 'a-verifier-that-is-long-enough-to-be-one-0123456789'
const challenge = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}
const exchange = (code: string | null, more: Record<string, string> = {}) =>
  zoom.token({ grant_type: 'authorization_code', code: code ?? '', redirect_uri: CALLBACK, ...more })
const refresh = (refresh_token: string) => zoom.token({ grant_type: 'refresh_token', refresh_token })

test('the consent page introduces itself and offers the accounts, the first one selected', async () => {
  const answer = await fetch(zoom.authorizeUrl())
  const page = await answer.text()

  expect(page).toContain('Demo stand-in for Zoom')
  expect(page).toContain('basic@freeplan.example')
  expect(page.match(/ checked/g)).toHaveLength(1)
  expect(page.indexOf(' checked')).toBeLessThan(page.indexOf(ANA))
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
  expect(answer.headers.get('content-security-policy')).not.toContain('form-action')
  expect(answer.headers.get('cross-origin-opener-policy')).toBeNull()
})

test('allowing returns a code, which is exchanged for tokens of the selected account', async () => {
  const back = await zoom.consent(ANA, { state: 'st/ate+1', ...challenge })
  expect(back.origin + back.pathname).toBe(CALLBACK)
  expect(back.searchParams.get('state')).toBe('st/ate+1')

  const tokens = await exchange(back.searchParams.get('code'), { code_verifier: verifier })
  expect(tokens.status).toBe(200)
  expect(tokens.body).toMatchObject({ token_type: 'bearer', expires_in: 3599, api_url: zoom.origin })
  expect(tokens.body.scope.split(' ')).toContain('user:read:user')

  const headers = { authorization: `Bearer ${tokens.body.access_token}` }
  const me = await fetchJson(`${zoom.apiUrl}/users/me`, { headers })
  expect(me.body).toMatchObject({ email: ANA, type: 2 })
  expect(me.headers.get('x-zm-trackingid')).toBeTruthy()
  expect(me.headers.get('x-ratelimit-category')).toBe('Light')
})

test('another e-mail becomes a licensed account of its own', async () => {
  const { call } = await zoom.connect('new.host@anywhere.example')
  expect((await call('GET', '/users/me')).body).toMatchObject({
    email: 'new.host@anywhere.example',
    display_name: 'New Host',
    type: 2,
  })
})

test('an account is made for the app that exchanges the code, and for no visitor of the consent page', async () => {
  const emails = async () => (await zoom.control('/state')).body.accounts.map(({ email }: { email: string }) => email)
  const before = await emails()
  const back = await zoom.consent('stranger@anywhere.example')
  expect(await emails()).toEqual(before)
  expect((await exchange(back.searchParams.get('code'))).status).toBe(200)
  expect(await emails()).toEqual([...before, 'stranger@anywhere.example'])
})

test('holds the latest thousand consent pages, and no expired one', async () => {
  const open = async () => {
    const page = await (await fetch(zoom.authorizeUrl())).text()
    return /name="request" value="([^"]+)"/.exec(page)?.[1] ?? ''
  }
  const deny = async (request: string) => {
    const body = new URLSearchParams({ request, action: 'deny' })
    return (await fetch(`${zoom.origin}/oauth/consent`, { method: 'POST', body, redirect: 'manual' })).status
  }
  const [oldest, second] = [await open(), await open()]
  for (let more = 0; more < 999; more++) await open()
  expect(await deny(oldest)).toBe(400)
  expect(await deny(second)).toBe(303)

  const late = await open()
  now += 30 * 60_000
  expect(await deny(late)).toBe(400)
})

test('asks again for an invalid e-mail', async () => {
  const page = await (await fetch(zoom.authorizeUrl())).text()
  const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const body = new URLSearchParams({ request, action: 'allow', account: 'other', email: 'nobody' })
  const again = await fetchJson(`${zoom.origin}/oauth/consent`, { method: 'POST', body })
  expect(again.status).toBe(400)
  expect(again.body).toContain('Enter an email address.')
})

test('denying redirects with access_denied and no code', async () => {
  const back = await zoom.consent(ANA, { state: 's1' }, 'deny')
  expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 's1' })
})

test.each([
  ['an unregistered redirect', { redirect_uri: `${CALLBACK}/` }],
  ['an unknown client', { client_id: 'somebody-else' }],
  ['another response type', { response_type: 'token' }],
])('%s is refused on a page, without a redirect', async (_, more) => {
  const answer = await fetch(zoom.authorizeUrl(more), { redirect: 'manual' })
  expect(answer.status).toBe(400)
  expect(answer.headers.get('content-type')).toContain('text/html')
})

test.each([
  ['a wrong verifier', { code_verifier: 'wrong' }],
  ['no verifier', {}],
  ['another redirect', { code_verifier: verifier, redirect_uri: 'http://127.0.0.1:9/other' }],
])('%s fails the exchange and uses up the code', async (_, more) => {
  const code = (await zoom.consent(ANA, challenge)).searchParams.get('code')
  expect(await exchange(code, more)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await exchange(code, { code_verifier: verifier })).toMatchObject({ status: 400 })
})

test('a code works once, and for five minutes', async () => {
  const first = (await zoom.consent(ANA)).searchParams.get('code')
  expect((await exchange(first)).status).toBe(200)
  const spent = await exchange(first)
  expect(spent).toMatchObject({ status: 400, body: { reason: 'Invalid authorization code', error: 'invalid_grant' } })

  const late = (await zoom.consent(ANA)).searchParams.get('code')
  now += 5 * 60_000
  expect((await exchange(late)).status).toBe(400)
})

test('the token call accepts only Basic authentication and a form body', async () => {
  const code = (await zoom.consent(ANA)).searchParams.get('code') ?? ''
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK })
  const send = (query: string, init: RequestInit) =>
    fetchJson(`${zoom.origin}/oauth/token${query}`, { method: 'POST', ...init })
  const headers = { authorization: zoom.basic }

  expect(await send('', { body: form })).toMatchObject({ status: 400, body: { error: 'invalid_client' } })
  expect(await send(`?${form}`, { headers })).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  const asJson = { headers: { ...headers, 'content-type': 'application/json' }, body: '{"grant_type":"x"}' }
  expect(await send('', asJson)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})

test('refreshing rotates the pair, and invalidates the old refresh token', async () => {
  const { access_token, refresh_token } = await zoom.connect(ANA)
  const next = await refresh(refresh_token)
  expect(next.body.refresh_token).not.toBe(refresh_token)

  const dead = await refresh(refresh_token)
  expect(dead).toMatchObject({ status: 400, body: { reason: 'Invalid Token!', error: 'invalid_grant' } })
  const old = await fetchJson(`${zoom.apiUrl}/users/me`, { headers: { authorization: `Bearer ${access_token}` } })
  expect(old.status).toBe(200) // until it expires
})

test('with a grace period the old refresh token works once more', async () => {
  await zoom.control('/options', { grace: true })
  const { refresh_token } = await zoom.connect(ANA)
  const statuses = []
  for (let use = 0; use < 3; use += 1) statuses.push((await refresh(refresh_token)).status)
  expect(statuses).toEqual([200, 200, 400])
})

test('authorising again invalidates the earlier pair', async () => {
  const before = await zoom.connect(ANA)
  await zoom.connect(ANA)
  expect((await before.call('GET', '/users/me')).body).toEqual({ code: 124, message: 'Invalid access token.' })
  expect((await refresh(before.refresh_token)).status).toBe(400)
})

test('an access token expires after an hour, a refresh token after ninety days', async () => {
  const { call, refresh_token } = await zoom.connect(ANA)
  now += 3600_000
  expect(await call('GET', '/users/me')).toMatchObject({ status: 401, body: { code: 124 } })
  now += 90 * 24 * 3600_000
  expect((await refresh(refresh_token)).status).toBe(400)
})

test('revoking invalidates both tokens', async () => {
  const { access_token, refresh_token, call } = await zoom.connect(ANA)
  const body = new URLSearchParams({ token: access_token })
  const answer = await fetchJson(`${zoom.origin}/oauth/revoke`, {
    method: 'POST',
    headers: { authorization: zoom.basic },
    body,
  })
  expect(answer).toMatchObject({ status: 200, body: { status: 'success' } })
  expect((await call('GET', '/users/me')).status).toBe(401)
  expect((await refresh(refresh_token)).status).toBe(400)
})

test('refuses an unknown token, a missing scope and another user', async () => {
  const unknown = await fetchJson(`${zoom.apiUrl}/users/me`, { headers: { authorization: 'Bearer made-up' } })
  expect(unknown).toMatchObject({ status: 401, body: { code: 124, message: 'Invalid access token.' } })

  await zoom.control('/options', { scopes: ['user:read:user'] })
  const { call } = await zoom.connect(ANA)
  expect(await call('GET', '/users/me/token?type=zak')).toMatchObject({
    status: 400,
    body: { code: 4711, message: 'Invalid access token, does not contain scopes:[user:read:token].' },
  })
  expect(await call('GET', '/users/someone')).toMatchObject({ status: 400, body: { code: 4700 } })
})

test('the page can lose its opener, and the callback its state', async () => {
  await zoom.control('/options', { coop: true, drop_state: true })
  expect((await fetch(zoom.authorizeUrl())).headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect((await zoom.consent(ANA, { state: 's' })).searchParams.has('state')).toBe(false)
})
