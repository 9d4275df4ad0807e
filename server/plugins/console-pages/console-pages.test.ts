import { expect, test } from 'vitest'
import { PUBLIC_PAGES } from '../../../shared/pages.ts'
import { setup } from '../../../test/setup.ts'
import { startTestApp } from '../../../test/start.ts'

/** Smaller files are sent as they are. */
const WORTH_COMPRESSING = 1024

const server = await setup()

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

test.each(Object.entries(PUBLIC_PAGES))('%s is sent with its title', async (path, { title }) => {
  const { statusCode, headers, body } = await get(path)
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain(`<title>${title}</title>`)
})

test.each([
  ['client', false],
  ['parley-demo', true],
])('with the client id %s a page says that Zoom is the emulator: %s', async (ZOOM_CLIENT_ID, demo_zoom) => {
  const other = await startTestApp({ config: { ZOOM_CLIENT_ID } })
  const { body } = await other.app.inject({ url: '/login' })
  await other.close()
  expect(body).toContain(`"demo_zoom":${demo_zoom}`)
})

test.each([
  ['/favicon.svg', 'image/svg+xml'],
  ['/icon-192.png', 'image/png'],
  ['/apple-touch-icon.png', 'image/png'],
  ['/preview.png', 'image/png'],
  ['/manifest.webmanifest', 'application/manifest+json'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'application/xml; charset=utf-8'],
])('serves %s to browsers, phones and search engines', async (path, type) => {
  const { statusCode, headers } = await get(path)
  expect([statusCode, headers['content-type']]).toEqual([200, type])
})

test("the manifest's icons exist", async () => {
  const { icons } = (await get('/manifest.webmanifest')).json()
  expect(icons).not.toEqual([])
  for (const { src } of icons) expect([src, (await get(src)).statusCode]).toEqual([src, 200])
})

test.each(['/nothing.png', '/assets/nothing.js', '/index.html', '/.vite/manifest.json', '/favicon.svg.br', '/api/x'])(
  '%s is 404',
  async (path) => {
    expect((await get(path)).statusCode).toBe(404)
  },
)

test.each(['/', '/login', '/master-login'])(
  'the files of %s are compressed, and cached by the browser',
  async (path) => {
    const { body } = await get(path)
    const files = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThan(2)
    for (const file of files) {
      const { headers } = await get(file, { 'accept-encoding': 'gzip, br' })
      expect(headers['cache-control'], file).toBe('public, max-age=31536000, immutable')
      if (Number(headers['content-length']) >= WORTH_COMPRESSING) expect(headers['content-encoding'], file).toBe('br')
    }
  },
)
