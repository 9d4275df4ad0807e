import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { fakeSession } from './fake-session.ts'

/** The phone site's policy; see server/plugins/page-policies.ts. */
const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'"
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

export const GALLERY = 'http://gallery.localhost'

export type Gallery = { show: (page: Page) => Promise<unknown>; remove: () => Promise<void> }

/** Builds a page with all screens of the phone app, using fake sessions. */
export async function buildGallery(): Promise<Gallery> {
  const outDir = await mkdtemp(join(tmpdir(), 'parley-gallery-'))
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir, emptyOutDir: true, assetsInlineLimit: 0, target: 'es2022' },
  })
  return {
    show: (page) =>
      page.route(`${GALLERY}/**`, async (route) => {
        const { pathname } = new URL(route.request().url())
        if (pathname.startsWith('/api/')) return route.fulfill(apiAnswer(pathname))
        const file = pathname === '/' ? '/index.html' : pathname
        const headers = { 'content-security-policy': POLICY, 'content-type': TYPES[extname(file)] ?? 'text/plain' }
        await route.fulfill({ headers, body: await readFile(join(outDir, file)) })
      }),
    remove: () => rm(outDir, { recursive: true }),
  }
}

declare const window: Window & { showScreen(name: string, language: string): Promise<void> }

/** Replaces the screen that the page shows. */
export async function showScreen(page: Page, name: string, language = 'en'): Promise<void> {
  await page.waitForFunction(() => 'showScreen' in window) // the page's load event does not wait for it
  await page.evaluate(([shown, code]) => window.showScreen(shown, code), [name, language] as const)
}

const { login, state } = fakeSession().view

const RECORDINGS = ['Evening circle', 'St Anne, with guests of three other parishes and their choirs'].map(
  (topic, index) => ({
    ...{ id: `r${index + 1}`, topic, duration: 62, play_url: '/nothing.m4a' },
    created_at: '2026-11-24T18:30:00.000Z',
    shared_until: '2026-12-01T18:30:00.000Z',
  }),
)

function apiAnswer(path: string) {
  if (path.endsWith('/link-owner'))
    return { json: { success: true, data: { username: 'Amina Yusuf', room_name: 'Evening circle' } } }
  if (path.endsWith('/me')) return { json: { success: true, data: { ...login, state } } }
  if (path.endsWith('/recordings')) return { json: { success: true, data: { recordings: RECORDINGS } } }
  const ticket = path.split('/').at(-1)
  const room = { host_id: 'H000001', room_name: 'Evening circle', user_title: 'Evening circle of St Anne' }
  const data = path.includes('/rooms/') ? { ...room, logo_url: null } : { state: ticket }
  return { json: { success: true, data } }
}
