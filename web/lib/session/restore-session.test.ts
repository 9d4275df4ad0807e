import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const TOKENS = { host: aToken({ hostId: 'h1', role: 'host' }), master: aToken({ adminId: 'm1', role: 'master' }) }
const USER = { id: 'h1', username: 'asha', role: 'host' } as const
const MASTER = { id: 'm1', username: 'master', role: 'master' } as const
const toastError = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', { location: { pathname: '/host/users', search: '', reload: vi.fn() } })
  vi.stubGlobal('BroadcastChannel', undefined)
  vi.doMock('../light-toast.ts', () => ({ lightToast: { error: toastError } }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.doUnmock('../light-toast.ts')
  sessionStorage.clear()
  toastError.mockReset()
})

async function aTab() {
  vi.resetModules()
  return {
    ...(await import('./session.ts')),
    ...(await import('./restore-session.ts')),
    ...(await import('./hand-over.ts')),
  }
}

/** Simulates a tab that was reloaded while signed in. */
async function aReloadedTab(token = TOKENS.host) {
  const { setSignedIn } = await aTab()
  setSignedIn(token, USER)
  return aTab()
}

test('a stored token is verified, and its user signed in', async () => {
  const { currentSession, verifySession } = await aReloadedTab()
  const server = serverAnswers(verified())
  await verifySession()
  expect(currentSession()).toMatchObject({ status: 'signed-in', user: { username: 'asha' } })
  expect(server.asked()).toEqual(['/api/auth/verify'])
})

test.each([400, 401, 403, 404])('a refusal with %i ends the session, and is not retried', async (status) => {
  const { currentSession, startSession } = await aReloadedTab()
  const server = serverAnswers(new Response('', { status }))
  await startSession(null)
  expect(currentSession()).toMatchObject({ status: 'signed-out', token: null })
  expect(server.asked()).toHaveLength(1)
})

test.each([
  ['no answer at all', () => new TypeError('Failed to fetch')],
  ['a fault of the server', () => new Response('', { status: 503 })],
])('with %s, three tries a second apart keep the token and show nothing of a host', async (_what, silence) => {
  const { currentSession, startSession } = await aReloadedTab()
  const server = serverAnswers(silence(), silence(), silence())
  const started = startSession(null)
  await vi.advanceTimersByTimeAsync(999)
  expect(server.asked()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(server.asked()).toHaveLength(2)
  expect(currentSession().status).toBe('checking')
  await vi.advanceTimersByTimeAsync(1000)
  await started
  expect(server.asked()).toHaveLength(3)
  expect(currentSession()).toEqual({ status: 'unreachable', token: TOKENS.host, user: null })
})

test('the second try counts as well as the first', async () => {
  const { currentSession, startSession } = await aReloadedTab()
  serverAnswers(...silences(1), verified())
  const started = startSession(null)
  await vi.advanceTimersByTimeAsync(1000)
  await started
  expect(currentSession().status).toBe('signed-in')
})

test('asks about a token from the address, and neither stores nor uses it before a yes', async () => {
  const { currentHandOver, currentSession, startSession } = await aTab()
  const server = serverAnswers(verified())
  await startSession(TOKENS.host)
  expect(currentHandOver()).toMatchObject({ status: 'asking', user: { username: 'asha' } })
  expect(currentSession()).toMatchObject({ status: 'signed-out', token: null })
  expect(sessionStorage.length).toBe(0)
  expect(server.asked()).toEqual(['/api/auth/verify'])
})

test('after a yes the token is exchanged for another', async () => {
  const { currentHandOver, currentSession, ...tab } = await aTab()
  const server = serverAnswers(verified(), claimed('new-token'))
  await tab.startSession(TOKENS.host)
  await accept({ currentHandOver, ...tab })
  expect(currentHandOver()).toBeNull()
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: 'new-token', user: USER })
  expect(server.asked()).toEqual(['/api/auth/verify', '/api/auth/claim'])
  expect(window.location.reload).not.toHaveBeenCalled()
})

test('after a yes in a signed-in tab the replaced session ends', async () => {
  const { currentSession, ...tab } = await aReloadedTab()
  const server = serverAnswers(verified(), verified(MASTER), claimed('new-token', MASTER), new Response('{}'))
  await tab.startSession(TOKENS.master)
  expect(tab.currentHandOver()).toMatchObject({ status: 'asking', user: { username: 'master' } })
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: TOKENS.host, user: USER })
  await accept(tab)
  expect(currentSession()).toMatchObject({ token: 'new-token', user: MASTER })
  expect(server.asked().slice(2)).toEqual(['/api/auth/claim', '/api/auth/host/logout'])
  expect(server.tokens().at(-1)).toBe(TOKENS.host)
  expect(window.location.reload).toHaveBeenCalledOnce()
})

test('a token that was used before the yes changes nothing', async () => {
  const { currentSession, ...tab } = await aReloadedTab()
  serverAnswers(verified(), verified(MASTER), new Response('', { status: 401 }))
  await tab.startSession(TOKENS.master)
  await accept(tab)
  expect(tab.currentHandOver()).toBeNull()
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: TOKENS.host, user: USER })
  expect(toastError.mock.calls).toEqual([
    ['That sign-in link is not valid any more. You are still signed in as before.'],
  ])
})

test('a yes without an answer can be repeated', async () => {
  const { currentSession, ...tab } = await aTab()
  const server = serverAnswers(verified(), ...silences(1), claimed('new-token'))
  await tab.startSession(TOKENS.host)
  await accept(tab)
  expect(tab.currentHandOver()?.status).toBe('asking')
  await accept(tab)
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: 'new-token' })
  const [first, second] = server.keys().slice(1)
  expect(first).toMatch(/^[\w-]{20,}$/)
  expect(second).toBe(first)
})

test('the exchange of an unconfirmed token whose answer was lost is repeated under its key', async () => {
  const { currentSession, verifySession, ...tab } = await aTab()
  const server = serverAnswers(...silences(3), verified(MASTER), ...silences(1), claimed('new-token', MASTER))
  const started = tab.startSession(TOKENS.master)
  await vi.advanceTimersByTimeAsync(2000)
  await started
  await accept(tab)
  await verifySession()
  await verifySession()
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: 'new-token', user: MASTER })
  expect(server.asked().slice(3)).toEqual(['/api/auth/verify', '/api/auth/claim', '/api/auth/claim'])
  expect(server.keys().at(-1)).toBe(server.keys().at(-2))
})

test('a token of the same person changes nothing, and asks nothing', async () => {
  const { currentHandOver, currentSession, startSession } = await aReloadedTab()
  const server = serverAnswers(verified(), verified())
  await startSession('another-token')
  expect(currentHandOver()).toBeNull()
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: TOKENS.host })
  expect(server.asked()).toEqual(['/api/auth/verify', '/api/auth/verify'])
})

test("after three unanswered tries asks about a master's token, and waits for the server after a yes", async () => {
  const { currentHandOver, currentSession, verifySession, ...tab } = await aTab()
  const server = serverAnswers(...silences(3), verified(MASTER), claimed('new-token', MASTER))
  const started = tab.startSession(TOKENS.master)
  await vi.advanceTimersByTimeAsync(2000)
  await started
  expect(currentHandOver()).toMatchObject({ status: 'asking', isVerified: false, user: { role: 'master' } })
  await accept({ currentHandOver, ...tab })
  expect(currentSession()).toMatchObject({ status: 'unverified', token: TOKENS.master })
  expect(sessionStorage.length).toBe(0)

  await Promise.all([verifySession(), verifySession()])
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: 'new-token', user: MASTER })
  expect(server.asked().slice(3)).toEqual(['/api/auth/verify', '/api/auth/claim'])
})

test.each([
  ["a host's token", TOKENS.host, () => new TypeError('Failed to fetch')],
  ['a server that is busy, and has not refused,', TOKENS.master, () => new Response('', { status: 429 })],
])('after three unanswered tries %s signs no one in, and can be retried', async (_what, token, silence) => {
  const { currentHandOver, currentSession, verifyHandOver, startSession } = await aTab()
  serverAnswers(silence(), silence(), silence(), verified())
  const started = startSession(token)
  await vi.advanceTimersByTimeAsync(2000)
  await started
  expect(currentSession().status).toBe('signed-out')
  expect(currentHandOver()?.status).toBe('unreachable')
  await verifyHandOver()
  expect(currentHandOver()?.status).toBe('asking')
})

test("after three unanswered tries a master's stored token is unreachable like any other", async () => {
  const { currentSession, startSession } = await aReloadedTab(TOKENS.master)
  serverAnswers(...silences(3))
  const started = startSession(null)
  await vi.advanceTimersByTimeAsync(2000)
  await started
  expect(currentSession()).toMatchObject({ status: 'unreachable', token: TOKENS.master })
})

type Tab = Pick<Awaited<ReturnType<typeof aTab>>, 'currentHandOver' | 'acceptHandOver'>

async function accept({ currentHandOver, acceptHandOver }: Tab) {
  const handOver = currentHandOver()
  if (handOver?.status !== 'asking') throw new Error('Nothing is asked')
  await acceptHandOver(handOver)
}

function aToken(claims: object): string {
  return `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`
}

function verified(user: object = USER): Response {
  return Response.json({ success: true, user })
}

function claimed(token: string, user: object = USER): Response {
  return Response.json({ success: true, token, user })
}

function silences(count: number): Error[] {
  return Array.from({ length: count }, () => new TypeError('Failed to fetch'))
}

/** Answers the calls in this order, and records them. */
function serverAnswers(...answers: (Response | Error)[]) {
  const fetch = vi.fn(async (_path: string, _request: RequestInit) => {
    const answer = answers.shift()
    if (!answer) throw new Error('One call too many')
    if (answer instanceof Error) throw answer
    return answer
  })
  vi.stubGlobal('fetch', fetch)
  return {
    keys: () => fetch.mock.calls.map(([, { headers }]) => new Headers(headers).get('idempotency-key')),
    asked: () => fetch.mock.calls.map(([path]) => path),
    tokens: () =>
      fetch.mock.calls.map(([, { headers }]) => new Headers(headers).get('authorization')?.replace('Bearer ', '')),
  }
}
