import { afterEach, beforeEach, expect, test, vi } from 'vitest'

async function aPage() {
  vi.resetModules()
  return (await import('./storage.ts')).tabStorage
}

function blockStorage() {
  vi.stubGlobal('sessionStorage', undefined) // so that the original comes back after the test
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('Access is denied', 'SecurityError')
    },
  })
}

const fullStorage = {
  getItem: (key: string) => (key === 'old' ? 'stored before' : null),
  setItem: () => {
    throw new DOMException('The quota is exceeded', 'QuotaExceededError')
  },
  removeItem: vi.fn(),
}

beforeEach(() => sessionStorage.clear()) // other files of this process store in it too
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

test('what the browser stores outlives the page, until it is removed', async () => {
  const before = await aPage()
  expect(before.store('name', 'amina')).toBe(true)
  const after = await aPage()
  expect(after.read('name')).toBe('amina')
  after.remove('name')
  expect(after.read('name')).toBeNull()
  expect(sessionStorage.length).toBe(0)
})

test.each([
  ['blocks the data of the site', blockStorage],
  ['has no space left', () => vi.stubGlobal('sessionStorage', fullStorage)],
])('a value lasts as long as the page where the browser %s', async (_why, refuse) => {
  refuse()
  const page = await aPage()
  expect(page.read('name')).toBeNull()
  expect(page.store('name', 'amina')).toBe(false)
  expect(page.read('name')).toBe('amina')
  page.remove('name')
  expect(page.read('name')).toBeNull()
  page.store('name', 'amina')
  expect((await aPage()).read('name')).toBeNull()
})

test('a value that does not fit hides the older one', async () => {
  vi.stubGlobal('sessionStorage', fullStorage)
  const page = await aPage()
  expect(page.read('old')).toBe('stored before')
  page.store('old', 'new')
  expect(page.read('old')).toBe('new')
})

test('a value that fits again replaces the one in memory', async () => {
  vi.stubGlobal('sessionStorage', fullStorage)
  const page = await aPage()
  page.store('name', 'amina')
  vi.unstubAllGlobals()
  expect(page.store('name', 'bela')).toBe(true)
  expect(page.read('name')).toBe('bela')
  expect((await aPage()).read('name')).toBe('bela')
})
