import { expect, test } from 'vitest'
import { PUBLIC_PAGES } from '../../../shared/pages.ts'
import { MeetingSiteInfo, PhoneSiteInfo, SeatSiteInfo } from '../../../shared/site.ts'
import { setup } from '../../../test/servers/setup.ts'
import { startTestApp } from '../../../test/servers/start.ts'

/** Smaller files are not compressed. */
const WORTH_COMPRESSING = 256

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

test.each([
  '/nothing.png',
  '/assets/nothing.js',
  '/index.html',
  '/phone/index.html',
  '/meeting/index%2ehtml',
  '/.vite/manifest.json',
  '/favicon.svg.br',
  '/api/x',
])('%s is 404', async (path) => {
  expect((await get(path)).statusCode).toBe(404)
})

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

const PHONE = 'phone.localhost:3000'
const MEETING = 'meeting.phone.localhost:3000'
const infoIn = (body: string) =>
  JSON.parse(/<script type="application\/json" id="site-info">(.*?)<\/script>/.exec(body)?.[1] ?? '{}')
const scriptIn = (body: string) => /<script type="module"[^>]* src="([^"]+)"/.exec(body)?.[1]

test.each(['/', '/?host=H000001', '/room', '/host/users', '/login/'])("the phone site's page is at %s", async (url) => {
  const { statusCode, headers, body } = await get(url, { host: PHONE })
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-store',
  ])
  expect(body).toContain('<title>Parley</title>')
  expect(body).toContain('viewport-fit=cover')
  expect(body).toContain('<meta name="robots" content="noindex">')
  expect(body).not.toContain('rel="manifest"')
  expect(PhoneSiteInfo.strict().parse(infoIn(body))).toMatchObject({
    phone_url: 'http://phone.localhost:3000',
    meeting_url: 'http://meeting.phone.localhost:3000',
    public_url: 'http://localhost:3000',
    demo_zoom: false,
  })
})

test('the frame of the meeting has a page of its own', async () => {
  const { statusCode, body } = await get('/', { host: MEETING })
  expect(statusCode).toBe(200)
  expect(MeetingSiteInfo.strict().parse(infoIn(body))).toEqual({
    phone_url: 'http://phone.localhost:3000',
    demo_zoom: false,
  })
  expect(body).toContain('<meta name="robots" content="noindex">')
})

test('the frame of the host’s seat has a page of its own, which only the host site knows', async () => {
  const at = async (url: string, host: string) => (await get(url, { host })).body
  const page = await at('/seat', MEETING)
  expect(SeatSiteInfo.strict().parse(infoIn(page))).toEqual({ host_url: 'http://host.localhost:3000' })
  expect(page).toContain('<meta name="robots" content="noindex">')
  expect(await at('/seat/left', MEETING)).toBe(page)
  const script = scriptIn(page) ?? ''
  expect((await get(script, { host: MEETING })).statusCode).toBe(200)
  for (const url of ['/', '/seats', '/left/seat', '/SEAT'])
    expect([url, scriptIn(await at(url, MEETING))]).toEqual([url, scriptIn((await get('/', { host: MEETING })).body)])
  expect(infoIn(await at('/', 'host.localhost:3000')).seat_url).toBe('http://meeting.phone.localhost:3000/seat')
  for (const host of ['localhost:3000', 'master.localhost:3000']) expect(infoIn(await at('/', host)).seat_url).toBe('')
  expect(infoIn(await at('/seat', PHONE))).not.toHaveProperty('host_url')
})

test('where the seat is off, its page is not there, and no console knows of it', async () => {
  const other = await startTestApp({ config: { HOST_SEAT: false } })
  const at = async (url: string, host: string) => (await other.app.inject({ url, headers: { host } })).body
  expect(await at('/seat', MEETING)).toBe(await at('/', MEETING))
  expect(infoIn(await at('/', 'host.localhost:3000')).seat_url).toBe('')
  await other.close()
})

test('only where the seat may have sound, and only on the host site, a page offers it', async () => {
  const offers = async (config: object) => {
    const other = await startTestApp({ config })
    const at = async (host: string) => infoIn((await other.app.inject({ url: '/', headers: { host } })).body).seat_sound
    const found = await Promise.all(['host.localhost:3000', 'master.localhost:3000', 'localhost:3000'].map(at))
    await other.close()
    return found
  }
  expect(await offers({})).toEqual([false, false, false])
  expect(await offers({ HOST_SEAT: false, HOST_SEAT_SOUND: true })).toEqual([false, false, false])
  expect(await offers({ HOST_SEAT_SOUND: true })).toEqual([true, false, false])
})

test('the console knows the phone app’s address', async () => {
  for (const host of ['localhost:3000', 'host.localhost:3000', 'master.localhost:3000'])
    expect(infoIn((await get('/', { host })).body)).toMatchObject({ phone_url: 'http://phone.localhost:3000' })
})

test.each([PHONE, MEETING])('%s has what its page needs, and nothing else of the console', async (host) => {
  const { body } = await get('/', { host })
  const files = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) expect([file, (await get(file, { host })).statusCode]).toEqual([file, 200])
  expect(files.join()).not.toMatch(/base-|icons-|LandingScreen/)
  expect(scriptIn(body)).not.toBe(scriptIn((await get('/')).body))
})

test.each([PHONE, MEETING])('%s is closed to search engines', async (host) => {
  expect((await get('/robots.txt', { host })).body).toBe('User-agent: *\nDisallow: /\n')
})

test('has no page for a file that is not there, on the phone site too', async () => {
  for (const url of ['/nothing.png', '/index.html', '/phone/index.html', '/api/nothing'])
    expect([url, (await get(url, { host: PHONE })).statusCode]).toEqual([url, 404])
})

test('a link with a token of a master leads from the site of hosts to the site that answers masters', async () => {
  const token = (role: string) => `e30.${Buffer.from(JSON.stringify({ role })).toString('base64url')}.signature`
  const follow = async (host: string, role: string) =>
    (await get(`/host/host-master?auth_token=${token(role)}`, { host })).headers.location
  expect(await follow('host.localhost', 'master')).toBe(
    `http://master.localhost:3000/host/host-master?auth_token=${token('master')}`,
  )
  expect(await follow('host.localhost', 'host')).toBeUndefined()
  expect(await follow('master.localhost', 'master')).toBeUndefined()
  expect((await get('/login?auth_token=no-token', { host: 'host.localhost' })).statusCode).toBe(200)
})
