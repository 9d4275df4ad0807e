import { expect, test } from 'vitest'
import { joinTarget } from './join-meeting.ts'

const STORE = 'https://play.google.com/store/apps/details?id=example.parley'
const ANDROID = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605.1.15'

test('Android opens the app, or the store where it is missing', () => {
  expect(joinTarget(ANDROID, STORE)).toEqual({
    href: `intent://join#Intent;scheme=parley;package=example.parley;S.browser_fallback_url=${encodeURIComponent(STORE)};end`,
    scheme: null,
  })
})

test.each([
  ['another phone', IPHONE, STORE],
  ['a store that names no app', ANDROID, 'https://apps.example/parley'],
])('%s tries the app and leads to the store', (_what, agent, store) => {
  expect(joinTarget(agent, store)).toEqual({ href: store, scheme: 'parley://join' })
})
