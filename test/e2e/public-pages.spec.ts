import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readGuides } from '../../bin/guides.ts'
import { OPEN_PAGES } from '../../shared/pages.ts'
import { watchedPage } from './browser.ts'
import { type Sites, startSites } from './sites.ts'

const STORE = 'https://play.google.com/store/apps/details?id=example.parley'
/** Of all that a landing or a login page fetches, pictures and headers not counted. */
const WEIGHT_LIMIT = 120_000

let sites: Sites
let context: BrowserContext
let page: Page
let complaints: string[]
beforeAll(async () => {
  sites = await startSites()
  context = await sites.browser.newContext()
  ;({ page, complaints } = await watchedPage(context))
}, 60_000)
afterAll(() => sites.close())

async function open(path: string, on = page): Promise<void> {
  await on.goto(sites.server.public_url + path)
  await on.locator('h1').waitFor()
}

const ask = (path: string) => fetch(`http://127.0.0.1:${sites.server.port}${path}`)
const hrefOf = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href')

test('the landing page says what Parley is, and leads everywhere', async () => {
  await open('/')
  await page.getByRole('heading', { name: 'Your trusted digital companion', level: 1 }).waitFor()
  await page.getByText('It is not affiliated with, endorsed by or sponsored by Zoom.').waitFor()
  await page.getByText('© 2025 Parley. Last updated July 22, 2025.').waitFor()
  const { host_url, master_url } = sites.server
  expect(await hrefOf('HOME')).toBe('/')
  expect(await hrefOf('LOGIN')).toBe(`${host_url}/login`)
  expect(await hrefOf('DOCS')).toBe('/documentation')
  expect(await hrefOf('SUPPORT')).toBe('/support')
  expect(await hrefOf('Get it on Google Play')).toBe(STORE)
  const footer = await page.locator('footer a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const texts = ['/documentation', '/support', 'mailto:support@parley.example', '/terms', '/policy']
  expect(footer).toEqual([...texts, `${host_url}/login`, `${master_url}/master-login`])
  expect(await page.getByRole('link', { name: 'Join a Meeting' }).isVisible()).toBe(false)
  const picture = page.getByRole('img', { name: /The Online page of a host/ })
  const width = await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)
  expect(width).toBeGreaterThan(300)
})

test('on a phone Join a Meeting opens the app, or else the store', async () => {
  const phone = await sites.browser.newContext({
    viewport: { width: 360, height: 780 },
    hasTouch: true,
    isMobile: true,
  })
  const landing = await phone.newPage()
  await open('/', landing)
  await landing.getByRole('link', { name: 'Login', exact: true }).waitFor()
  await landing.route('https://play.google.com/**', (route) => route.fulfill({ body: 'the store' }))
  await landing.getByRole('link', { name: 'Join a Meeting' }).click()
  await landing.waitForURL(STORE) // nothing here knows the app
  await phone.close()
})

test.each([
  ['/', ['Get it on Google Play', 'not affiliated with Zoom']],
  [
    '/terms',
    [
      'at least 13 years old',
      'notice 30 days before',
      'kept for 30 days',
      'within 48 hours',
      'not affiliated with',
      'needed besides the Zoom account',
      'Only one device may be active in a meeting at a time',
      'cloud recording to be enabled',
      'start meetings, mute, unmute and remove participants, and manage recordings',
    ],
  ],
  ['/policy', ['30 days', 'within 48 hours', 'not for children under 13', 'no cookies', '731 days', '396 days']],
  [
    '/support',
    [
      'answered in 24-48 hours',
      'in business hours',
      'Monday to Friday 9-18 IST, Saturday 10-14 IST',
      'Critical',
      '2-4 hours',
      'High',
      '4-8 hours',
      'Standard',
      '8-24 hours',
      'General',
    ],
  ],
  [
    '/documentation',
    [
      'Only one device may be active in a meeting at a time',
      'Start meetings',
      'Mute and unmute participants, one by one or all at once, and remove them',
      'Add users with username, email and password',
      'warns at 7 days or fewer',
      'M4A',
      'H000001',
    ],
  ],
])('%s has its title and its facts, and leads on', async (path, facts) => {
  const title = OPEN_PAGES[path]?.title ?? ''
  expect(await (await ask(path)).text()).toContain(`<title>${title}</title>`)
  await open(path)
  expect(await page.title()).toBe(title)
  const words = (await page.locator('main').textContent())?.replace(/\s+/g, ' ')
  for (const fact of facts) expect(words).toContain(fact)
  if (path === '/' || path === '/documentation') return
  const others = page.getByRole('navigation', { name: 'Other pages' })
  expect(await others.getByRole('link').allTextContents()).toEqual([
    'Home',
    'Terms of Service',
    'Privacy Policy',
    'Documentation',
  ])
})

test('the documentation is found by words and by its contents, without a mouse', async () => {
  await open('/documentation')
  await page.keyboard.press('/')
  await page.keyboard.type('new phone')
  await page.getByRole('status').getByText(/found/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/documentation#users-switch')
  const topic = page.getByRole('heading', { name: 'Somebody has a new phone' })
  await page.waitForFunction(() => document.activeElement?.id === 'users-switch')
  expect(await topic.evaluate((heading) => Math.round(heading.getBoundingClientRect().top))).toBeLessThan(100)

  await page.getByLabel('Search the documentation').fill('zzz')
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Cloud Recordings' }).click()
  await page.waitForURL('**/documentation#recordings')
  const pictures = await page.locator('article img').evaluateAll(async (images) => {
    const shown = images.filter((image) => image instanceof HTMLImageElement)
    for (const image of shown) image.loading = 'eager'
    await Promise.all(shown.map((image) => image.decode()))
    return shown.map(({ alt }) => alt)
  })
  expect(pictures.length).toBeGreaterThan(12)
  expect(pictures).not.toContain('')

  await open('/documentation#100%') // which names no part, and cannot be decoded
  await page.getByRole('heading', { name: 'Documentation', exact: true }).waitFor()
  const ids = await page.locator('[data-topic]').evaluateAll((topics) => topics.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('the guides in docs/ say what the documentation says', async () => {
  await open('/documentation')
  for (const [file, text] of Object.entries(await readGuides(page)))
    expect(await readFile(`docs/${file}`, 'utf8'), 'npm run pictures -- guides').toBe(text)
})

test('a link begins the next page at its top, and the keyboard goes on from there', async () => {
  await page.setViewportSize({ width: 360, height: 600 })
  await open('/')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
  await page.getByRole('link', { name: 'Terms of Service' }).press('Enter')
  await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor()
  await page.waitForFunction(() => window.scrollY === 0 && document.activeElement?.id === 'content')
})

test('on paper the text is all that is left', async () => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await open('/terms')
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const ink = await page.locator('article').evaluate((text) => getComputedStyle(text).color)
  expect([paper, ink]).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
})

test('SEC-40 nothing of this was refused by the policy of the pages, thrown, or asked of others', () => {
  expect(complaints).toEqual([])
})

test('SEC-80 no page is shown within a page of another', async () => {
  const inside = ['/', '/login', '/host/online', '/oauth-success'].map((path) => sites.server.host_url + path)
  const body = inside.map((address) => `<iframe src="${address}"></iframe>`).join('')
  const around = await context.newPage()
  await around.route('http://stranger.localhost/', (route) => route.fulfill({ contentType: 'text/html', body }))
  await around.goto('http://stranger.localhost/')
  const shown = around.frames().slice(1)
  expect(shown.map((frame) => frame.url())).toEqual(inside.map(() => 'chrome-error://chromewebdata/'))
  await around.close()
})

test('what browsers, phones and search engines ask for is there, and nothing else is', async () => {
  const kinds = {
    '/favicon.svg': 'image/svg+xml',
    '/icon-192.png': 'image/png',
    '/apple-touch-icon.png': 'image/png',
    '/preview.png': 'image/png',
    '/manifest.webmanifest': 'application/manifest+json',
    '/robots.txt': 'text/plain; charset=utf-8',
    '/sitemap.xml': 'application/xml; charset=utf-8',
  }
  for (const [path, kind] of Object.entries(kinds)) {
    const answer = await ask(path)
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, kind])
  }
  const manifest = await (await ask('/manifest.webmanifest')).json()
  for (const { src } of manifest.icons) expect((await ask(src)).status).toBe(200)
  const missing = [
    '/nothing.png',
    '/assets/nothing.js',
    '/index.html',
    '/.vite/manifest.json',
    '/favicon.svg.br',
    '/api/x',
  ]
  for (const path of missing) expect([path, (await ask(path)).status]).toEqual([path, 404])
})

test.each(['/', '/login', '/master-login'])('%s is light, and its files are kept by the browser', async (path) => {
  const cold = await sites.browser.newContext()
  const first = await cold.newPage()
  const sizes: Promise<number>[] = []
  const files: Promise<[string, Record<string, string>]>[] = []
  first.on('requestfinished', (request) => {
    if (request.resourceType() === 'image') return
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  first.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (/^\/assets\/.*\.(js|css)$/.test(pathname))
      files.push(response.allHeaders().then((headers) => [pathname, headers]))
  })
  await first.goto(sites.server.public_url + path, { waitUntil: 'networkidle' })
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(20_000)
  expect(total).toBeLessThan(WEIGHT_LIMIT)
  for (const [file, headers] of await Promise.all(files)) {
    expect(headers['cache-control'], file).toBe('public, max-age=31536000, immutable')
    const isTiny = Number(headers['content-length']) < 1000
    if (!isTiny) expect(headers['content-encoding'], file).toBe('br')
  }
  expect(files.length).toBeGreaterThan(2)
  await cold.close()
})
