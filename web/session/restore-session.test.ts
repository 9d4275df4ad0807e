import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const TOKENS = { host: aToken({ hostId: 'h1', role: 'host' }), master: aToken({ adminId: 'm1', role: 'master' }) }
const USER = { id: 'h1', username: 'asha', role: 'host' }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', { location: { pathname: '/host/users', search: '' } })
  vi.stubGlobal('BroadcastChannel', undefined)
})
afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
})

async function aTab() {
  vi.resetModules()
  return {
    ...(await import('./session.ts')),
    ...(await import('./restore-session.ts')),
    ...(await import('./hand-over.ts')),
  }
}

test('a stored token is verified, and its user signed in', async () => {
  const { currentSession, keepToken, verifySession } = await aTab()
  const verify = serverAnswers(verified())
  keepToken(TOKENS.host)
  await verifySession()
  expect(currentSession()).toMatchObject({ status: 'signed-in', user: { username: 'asha' } })
  expect(verify).toHaveBeenCalledOnce()
})

test.each([400, 401, 403, 404])('a refusal with %i ends the session, and is not questioned again', async (status) => {
  const { currentSession, startSession } = await aTab()
  const verify = serverAnswers(new Response('', { status }))
  await startSession(TOKENS.master)
  expect(currentSession()).toMatchObject({ status: 'signed-out', token: null })
  expect(verify).toHaveBeenCalledOnce()
})

test.each([
  ['no answer at all', () => new TypeError('Failed to fetch')],
  ['a fault of the server', () => new Response('', { status: 503 })],
])('SEC-21 with %s, three tries a second apart keep the token and show nothing of a host', async (_what, silence) => {
  const { currentSession, startSession } = await aTab()
  const verify = serverAnswers(silence(), silence(), silence())
  const started = startSession(TOKENS.host)
  await vi.advanceTimersByTimeAsync(999)
  expect(verify).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(verify).toHaveBeenCalledTimes(2)
  expect(currentSession().status).toBe('checking')
  await vi.advanceTimersByTimeAsync(1000)
  await started
  expect(verify).toHaveBeenCalledTimes(3)
  expect(currentSession()).toEqual({ status: 'unreachable', token: TOKENS.host, user: null })
})

test.each([
  ['handed over, it is unverified', true, 'unverified'],
  ['stored, it is as unreachable as any', false, 'unreachable'],
])("after three silences a master's token waits for the server: %s", async (_how, isHandedOver, status) => {
  const { currentSession, keepToken, startSession } = await aTab()
  serverAnswers(...silences(3))
  if (!isHandedOver) keepToken(TOKENS.master)
  const started = startSession(isHandedOver ? TOKENS.master : null)
  await vi.advanceTimersByTimeAsync(2000)
  await started
  expect(currentSession()).toMatchObject({ status, token: TOKENS.master })
})

test('a server that is busy, and has not refused, leaves nobody unverified', async () => {
  const { currentSession, startSession } = await aTab()
  serverAnswers(...[1, 2, 3].map(() => new Response('', { status: 429 })))
  const started = startSession(TOKENS.master)
  await vi.advanceTimersByTimeAsync(2000)
  await started
  expect(currentSession()).toMatchObject({ status: 'unreachable', user: null })
})

test('the second try counts as well as the first', async () => {
  const { currentSession, startSession } = await aTab()
  serverAnswers(...silences(1), verified())
  const started = startSession(TOKENS.host)
  await vi.advanceTimersByTimeAsync(1000)
  await started
  expect(currentSession().status).toBe('signed-in')
})

test.each([
  ['the same person', USER, null],
  ['somebody else', { id: 'm1', username: 'master', role: 'master' }, 'master'],
])('SEC-19 a token of %s that is handed over to a signed-in tab does not replace it', async (_who, owner, offered) => {
  const { currentOffer, currentSession, keepToken, startSession } = await aTab()
  serverAnswers(verified(), verified(owner))
  keepToken(TOKENS.host)
  await startSession('another-token')
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: TOKENS.host, user: USER })
  expect(currentOffer()?.user.username ?? null).toBe(offered)
})

function aToken(claims: object): string {
  return `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`
}

function verified(user: object = USER): Response {
  return Response.json({ success: true, user })
}

function silences(count: number): Error[] {
  return Array.from({ length: count }, () => new TypeError('Failed to fetch'))
}

/** What the server answers, call by call. */
function serverAnswers(...answers: (Response | Error)[]) {
  const fetch = vi.fn(async () => {
    const answer = answers.shift()
    if (!answer) throw new Error('One call too many')
    if (answer instanceof Error) throw answer
    return answer
  })
  vi.stubGlobal('fetch', fetch)
  return fetch
}
