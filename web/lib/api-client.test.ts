import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiError, api, apiIfChanged, fieldErrorsOf, generalMessageOf, messageOf, randomUuid } from './api-client.ts'
import { clearSession, currentSession, setSignedIn } from './session/session.ts'

const Answer = z.object({ success: z.literal(true), data: z.object({ n: z.number() }) })
const user = { id: 'h1', username: 'asha' }
const replace = vi.fn()

type Sent = { url: string; method: string; headers: Headers; body: unknown; cache: string | undefined }

function serverSays(...answers: (Response | Error)[]) {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { method = 'GET', body, cache } = init
    sent.push({ url, method, headers: new Headers(init.headers), body: body && JSON.parse(String(body)), cache })
    const answer = answers.shift()
    if (!answer) throw new Error('One call too many')
    if (answer instanceof Error) throw answer
    return answer
  })
  return sent
}

const ok = (n: number, headers: Record<string, string> = {}) =>
  Response.json({ success: true, data: { n } }, { headers })
const refused = (status: number, body: object) => Response.json({ success: false, message: '', ...body }, { status })

beforeEach(() => {
  vi.stubGlobal('window', { location: { pathname: '/host/users', search: '?x=1', replace } })
  setSignedIn('token-1', user)
})
afterEach(() => {
  vi.unstubAllGlobals()
  replace.mockReset()
  clearSession({ left: true })
})

describe('a call', () => {
  test('carries the token and, when it changes something, a key of its own', async () => {
    const sent = serverSays(ok(1), ok(2), ok(3))
    expect(await api(Answer, 'POST', '/things', { a: 1 })).toEqual({ success: true, data: { n: 1 } })
    await api(Answer, 'POST', '/things', { a: 2 })
    await api(Answer, 'GET', '/things')
    const [first, second, read] = sent
    expect(first).toMatchObject({ url: '/api/things', method: 'POST', body: { a: 1 }, cache: 'no-store' })
    expect(first?.headers.get('authorization')).toBe('Bearer token-1')
    expect(first?.headers.get('idempotency-key')).toMatch(/^[\w-]{20,}$/)
    expect(second?.headers.get('idempotency-key')).not.toBe(first?.headers.get('idempotency-key'))
    expect(read?.headers.has('idempotency-key')).toBe(false)
    expect(read?.headers.has('content-type')).toBe(false)
  })

  test('uses the key it is given, for a repeat', async () => {
    const sent = serverSays(ok(1))
    await api(Answer, 'POST', '/things', {}, { idempotencyKey: 'the-same' })
    expect(sent[0]?.headers.get('idempotency-key')).toBe('the-same')
  })

  test('that is refused has status, code, message and fields', async () => {
    const errors = [{ path: 'username', msg: 'Taken' }]
    serverSays(refused(409, { message: 'That name is taken', code: 'conflict', errors }))
    const error = await api(Answer, 'POST', '/things', {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 409, code: 'conflict', message: 'That name is taken', errors })
    expect(messageOf(error, 'Failed')).toBe('That name is taken')
    expect(fieldErrorsOf(error)).toEqual({ username: 'Taken' })
  })

  test.each([
    [new TypeError('Failed to fetch'), 'There is no connection to Parley.'],
    [new DOMException('Too late', 'TimeoutError'), 'Parley did not answer in time.'],
  ])('without an answer has status 0, and shows the fixed text and the reason: %s', async (failure, reason) => {
    serverSays(failure)
    const error = await api(Answer, 'GET', '/things').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 0 })
    expect(messageOf(error, 'Failed to load')).toBe(`Failed to load. ${reason}`)
    expect(messageOf(error, 'Please try again.')).toBe(`Please try again. ${reason}`)
  })

  test.each([
    ['an action', undefined, ' It may still happen; this page shows it then.'],
    ['a call that reads a password', { isSecret: true }, ''],
  ])('without an answer says of %s whether it may still happen', async (_, options, words) => {
    serverSays(new TypeError('Failed to fetch'))
    const error = await api(Answer, 'POST', '/things', {}, options).catch((thrown: unknown) => thrown)
    expect(messageOf(error, 'Failed to add')).toBe(`Failed to add. There is no connection to Parley.${words}`)
  })

  test.each(['GET', 'POST'] as const)(
    'that did not arrive in time is repeated once, with the same key: %s',
    async (method) => {
      const late = { message: 'The request took too long to arrive.' }
      const sent = serverSays(refused(408, late), ok(1), refused(408, late), refused(408, late))
      expect(await api(Answer, method, '/things')).toMatchObject({ data: { n: 1 } })
      const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
      expect(keys).toEqual(method === 'GET' ? [null, null] : [expect.any(String), keys[0]])
      await expect(api(Answer, method, '/others')).rejects.toMatchObject({ status: 408, ...late })
      expect(sent).toHaveLength(4)
    },
  )

  test('that did not arrive in time is not repeated without a session, as its key has no meaning', async () => {
    clearSession({ left: true })
    const sent = serverSays(refused(408, {}))
    await expect(api(Answer, 'POST', '/auth/host/login', {})).rejects.toMatchObject({ status: 408 })
    expect(sent).toHaveLength(1)
  })

  test('fails if its answer is not JSON, or has another shape', async () => {
    serverSays(new Response('<html>', { status: 502 }), Response.json({ success: true, data: {} }))
    await expect(api(Answer, 'GET', '/things')).rejects.toMatchObject({ status: 502 })
    const error = await api(Answer, 'GET', '/things').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'unexpected_answer' })
    expect(messageOf(error, 'Failed to load')).toBe('Failed to load')
  })

  test('cancelled by its caller is not a network failure', async () => {
    const controller = new AbortController()
    controller.abort()
    serverSays(new DOMException('Aborted', 'AbortError'))
    const call = api(Answer, 'GET', '/things', undefined, { signal: controller.signal })
    await expect(call).rejects.toBeInstanceOf(DOMException)
  })
})

describe('a refusal for want of a second factor', () => {
  const needed = () => refused(403, { code: 'second_factor_required' })

  test.each([
    ['host', '/host/account'],
    ['manager', '/host/account'],
    ['master', '/master/account'],
  ] as const)('leads a %s to %s, and once there no further', async (role, page) => {
    setSignedIn('token-1', { ...user, role })
    serverSays(needed(), needed())
    await expect(api(Answer, 'GET', '/things')).rejects.toMatchObject({ code: 'second_factor_required' })
    expect(replace.mock.calls).toEqual([[page]])
    vi.stubGlobal('window', { location: { pathname: page, search: '', replace } })
    await expect(api(Answer, 'GET', '/things')).rejects.toMatchObject({ status: 403 })
    expect(replace).toHaveBeenCalledOnce()
  })

  test('of a session that has ended leads nowhere', async () => {
    serverSays(needed())
    const call = api(Answer, 'GET', '/things')
    setSignedIn('token-2', user)
    await expect(call).rejects.toMatchObject({ status: 403 })
    expect(replace).not.toHaveBeenCalled()
  })
})

describe('a 401', () => {
  test('ends the session and redirects to the login', async () => {
    serverSays(refused(401, { code: 'not_signed_in' }))
    await expect(api(Answer, 'GET', '/things')).rejects.toMatchObject({ status: 401 })
    expect(currentSession()).toMatchObject({ status: 'signed-out', token: null })
    expect(replace).toHaveBeenCalledWith('/') // tests open the public site
    expect(sessionStorage.getItem('parley.return-to')).toBe('/host/users?x=1')
  })

  test('of the verification is left to its caller', async () => {
    serverSays(refused(401, { code: 'not_signed_in' }))
    await expect(api(Answer, 'POST', '/auth/verify', {})).rejects.toMatchObject({ status: 401 })
    expect(currentSession().token).toBe('token-1')
    expect(replace).not.toHaveBeenCalled()
  })

  test('of an older session does not end the one that followed', async () => {
    vi.stubGlobal('fetch', async () => {
      setSignedIn('token-2', user)
      return refused(401, { code: 'not_signed_in' })
    })
    await expect(api(Answer, 'GET', '/things')).rejects.toMatchObject({ status: 401 })
    expect(currentSession()).toMatchObject({ status: 'signed-in', token: 'token-2' })
  })
})

test.each([
  ['under its field', ['email'], null],
  ['of a field that the form lacks', ['email', 'subscription_end_date'], 'wrong subscription_end_date'],
  ['of none', [], 'The server says so'],
])('above the fields stands what no field shows: an error %s', (_where, paths, expected) => {
  const errors = paths.map((path) => ({ path, msg: `wrong ${path}` }))
  const error = new ApiError(422, 'The server says so', { errors })
  expect(generalMessageOf(error, { email: '' }, 'Failed to update host')).toBe(expected)
})

describe('a poll', () => {
  test('returns the answer only when it has changed', async () => {
    const sent = serverSays(ok(1, { etag: '"v1"' }), new Response(null, { status: 304 }), ok(2, { etag: '"v2"' }))
    const first = await apiIfChanged(Answer, '/list', null)
    const version = first?.version ?? null
    expect(first?.answer.data.n).toBe(1)
    expect(await apiIfChanged(Answer, '/list', version)).toBeNull()
    expect((await apiIfChanged(Answer, '/list', version))?.answer.data.n).toBe(2)
    expect(sent.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"v1"', '"v1"'])
  })

  test('requests the whole answer in another session', async () => {
    const sent = serverSays(ok(1, { etag: '"v1"' }), ok(2, { etag: '"v2"' }))
    const first = await apiIfChanged(Answer, '/list', null)
    setSignedIn('token-2', user)
    expect((await apiIfChanged(Answer, '/list', first?.version ?? null))?.answer.data.n).toBe(2)
    expect(sent[1]?.headers.has('if-none-match')).toBe(false)
  })
})

test('a key is made on plain http too, where randomUUID is missing', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  expect(z.uuid().safeParse(randomUuid()).success).toBe(true)
})
