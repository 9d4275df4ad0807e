import { expect, test, vi } from 'vitest'
import { isNewerVersionDeployed } from './is-newer-version.ts'

const page = (entry: string) => `<!doctype html><script type="module" src="/assets/${entry}.js"></script>`
const running = new DOMParser().parseFromString(page('phone-1'), 'text/html')
const answer = (text: string, status = 200) => vi.stubGlobal('fetch', async () => new Response(text, { status }))

test('another entry script is a newer version', async () => {
  answer(page('phone-2'))
  expect(await isNewerVersionDeployed(running)).toBe(true)
})

test('the same one is none', async () => {
  answer(page('phone-1'))
  expect(await isNewerVersionDeployed(running)).toBe(false)
})

test('without an answer, or with one that is no page, nothing is new', async () => {
  answer('', 503)
  expect(await isNewerVersionDeployed(running)).toBe(false)
  answer('<title>A hotel</title>')
  expect(await isNewerVersionDeployed(running)).toBe(false)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await isNewerVersionDeployed(running)).toBe(false)
})
