import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const KEY = 'parley.session'
const user = { id: 'h1', role: 'host', username: 'asha', full_name: null } as const

async function aTab() {
  vi.resetModules()
  return { ...(await import('./session.ts')), ...(await import('./return-page.ts')) }
}

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test('a tab starts signed out, and signed in after a login', async () => {
  const { currentSession, setSignedIn } = await aTab()
  expect(currentSession().status).toBe('signed-out')
  setSignedIn('token-1', user)
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: 'token-1', user })
})

test('after a reload the token waits for the server, and its user is not shown yet', async () => {
  const before = await aTab()
  before.setSignedIn('token-1', user)
  const { currentSession } = await aTab()
  expect(currentSession()).toEqual({ status: 'checking', token: 'token-1', user: null })
})

test('stores neither token nor name readably, and nothing else of the user', async () => {
  const { setSignedIn } = await aTab()
  setSignedIn('token-1', { ...user, ...{ email: 'asha@example.com' } })
  const stored = sessionStorage.getItem(KEY) ?? ''
  expect(stored).not.toContain('token-1')
  const plain = decodeURIComponent(atob(stored.split('').reverse().join('')))
  expect(JSON.parse(plain)).toEqual({ token: 'token-1', user })
})

test('a session that the browser has no space for lasts as long as the page, and the former one is not back then', async () => {
  const { setSignedIn: signIn } = await aTab()
  signIn('token-1', user)
  const { currentSession, setSignedIn } = await aTab()
  const { removeItem, getItem } = sessionStorage
  vi.stubGlobal('sessionStorage', {
    getItem: getItem.bind(sessionStorage),
    removeItem: removeItem.bind(sessionStorage),
    setItem: () => {
      throw new DOMException('No space is left', 'QuotaExceededError')
    },
  })
  setSignedIn('token-2', user)
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: 'token-2' })
  const { currentSession: afterReload } = await aTab()
  expect(afterReload()).toEqual({ status: 'signed-out', token: null, user: null })
})

test('a page of a browser that blocks site data signs in and out', async () => {
  vi.stubGlobal('sessionStorage', undefined) // every use throws
  vi.stubGlobal('BroadcastChannel', () => {}) // no constructor, so `new` throws
  const { clearSession, currentSession, setSignedIn, signedOutReason, startVisit, ...tab } = await aTab()
  startVisit('navigate')
  tab.rememberPage('/host/users')
  setSignedIn('token-1', user)
  expect(currentSession()).toMatchObject({ status: 'signed-in', token: 'token-1' })
  expect(tab.rememberedPage('host')).toBe('/host/users')
  clearSession({ reason: 'idle' })
  expect([currentSession().status, signedOutReason()]).toEqual(['signed-out', 'idle'])
})

test('a user without a role is a host', async () => {
  const { currentSession, setSignedIn } = await aTab()
  setSignedIn('token-1', { id: 'h1', username: 'asha' })
  expect(currentSession().user?.role).toBe('host')
})

test('an unconfirmed master is shown, and never stored', async () => {
  const { currentSession, setUnverified } = await aTab()
  setUnverified('token-1', { id: 'm1', role: 'master', username: 'Master', full_name: null })
  expect(currentSession()).toMatchObject({ status: 'unverified', user: { id: 'm1', role: 'master' } })
  const { currentSession: afterReload } = await aTab()
  expect(afterReload()).toEqual({ status: 'signed-out', token: null, user: null })
})

test.each([
  [{ id: 'h1', username: 'asha', role: 'owner' }],
  [{ id: 1, username: 'asha' }],
  [{ id: 'h1' }],
  [{ id: 'h1', username: 'asha', full_name: 7 }],
  ['asha'],
  [null],
])('%j is no user', async (value) => {
  expect((await aTab()).parseSignedInUser(value)).toBeNull()
})

test('an assistant goes by the one name that it has', async () => {
  const assistant = { id: 'a1', username: 'deputy@asha', role: 'moderator', name: 'deputy' }
  const { name: full_name, ...rest } = assistant
  expect((await aTab()).parseSignedInUser(assistant)).toEqual({ ...rest, full_name })
})

test.each(['', 'rubbish', '%%%', 'e30='])('a damaged store (%j) is no session', async (text) => {
  sessionStorage.setItem(KEY, text)
  const { currentSession } = await aTab()
  expect(currentSession().status).toBe('signed-out')
})

test('signing out removes everything, and the requested page if the user chose it', async () => {
  const { clearSession, setSignedIn, rememberedPage, rememberPage } = await aTab()
  setSignedIn('token-1', user)
  rememberPage('/host/users')
  clearSession()
  expect(sessionStorage.getItem(KEY)).toBeNull()
  expect(rememberedPage('host')).toBe('/host/users')
  clearSession({ left: true })
  expect(rememberedPage('host')).toBeNull()
})

test.each([
  ['/host/users?x=1', 'host', '/host/users?x=1'],
  ['/master/hosts', 'host', null],
  ['/host/users', 'master', null],
  ['//evil.example/host/', 'host', null],
  ['https://evil.example/host/', 'host', null],
] as const)('the page %s is given back to a %s as %s', async (path, role, expected) => {
  const { rememberedPage, rememberPage } = await aTab()
  rememberPage(path)
  expect(rememberedPage(role)).toBe(expected)
})

test.each([
  ['opened by hand', 'navigate', false, null],
  ['reloaded', 'reload', false, '/host/users'],
  ['returned to', 'back_forward', false, '/host/users'],
  ['loaded by the redirect of a 401', 'navigate', true, '/host/users'],
] as const)(
  'a page asked for before is forgotten where a login is opened by hand: %s',
  async (_how, type, andReload, page) => {
    const { rememberedPage, rememberPage, startVisit } = await aTab()
    rememberPage('/host/users', { andReload })
    startVisit(type)
    expect(rememberedPage('host')).toBe(page)
    startVisit('navigate')
    expect(rememberedPage('host')).toBeNull()
  },
)

test('why a tab was signed out is kept until the next sign-in', async () => {
  const { clearSession, setSignedIn } = await aTab()
  setSignedIn('token-1', user)
  clearSession({ reason: 'idle' })
  const { signedOutReason, setSignedIn: signIn } = await aTab()
  expect(signedOutReason()).toBe('idle')
  signIn('token-2', user)
  expect(signedOutReason()).toBeNull()
  sessionStorage.setItem('parley.signed-out', 'nonsense')
  expect(signedOutReason()).toBe('unknown')
})

test('other tabs learn that something changed, but not what', async () => {
  const { onOtherTabChange } = await aTab()
  const other = await aTab()
  const received = new Promise((resolve) => onOtherTabChange(() => resolve('changed')))
  other.notifyOtherTabs()
  expect(await received).toBe('changed')
})
