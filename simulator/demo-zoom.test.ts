import { afterEach, expect, test, vi } from 'vitest'
import { pageHead } from '../server/plugins/console-pages/page-head.ts'
import { findDemoZoom } from './demo-zoom.ts'

afterEach(() => vi.unstubAllGlobals())

const ADDRESSES = { public_url: '', host_url: '', master_url: '', phone_url: '', play_store_url: '', source_url: '' }
const REST = {
  site: 'public',
  zoom_connect_seconds: null,
  support_email: '',
  support_phone: '',
  seat_url: '',
  seat_sound: false,
  sends_mail: false,
} as const
const KEPT_DAYS = { audit: 731, attendance: 396, recordings: null }

test.each([
  ['the stand-in', true, 'http://localhost:3001', 'http://localhost:3001'],
  ['Zoom itself', false, 'https://zoom.us', undefined],
])('phones of a server with %s find it: %s, %s', async (_whose, demo_zoom, zoom_origin, found) => {
  const head = pageHead('/', { ...ADDRESSES, ...REST, features: [], demo_zoom, zoom_origin, kept_days: KEPT_DAYS })
  vi.stubGlobal('fetch', async () => new Response(`<html>${head}</html>`))
  expect(await findDemoZoom('http://127.0.0.1:3000')).toBe(found)
})

test('a server without pages has none', async () => {
  vi.stubGlobal('fetch', async () => new Response('The console is not built yet.', { status: 503 }))
  expect(await findDemoZoom('http://127.0.0.1:3000')).toBeUndefined()
})
