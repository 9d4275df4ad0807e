import { PUBLIC_PAGES } from '../../shared/pages.ts'
import { expect, test } from './support/test.ts'

const NOT_PUBLISHED = 'Google Play: there is no Android app yet'

const FACTS: Record<string, string[]> = {
  '/': [NOT_PUBLISHED, 'not affiliated with Zoom'],
  '/terms': [
    'at least 13 years old',
    'A host needs a Zoom account; the users of a room do not.',
    'notice 30 days before',
    'kept for 30 days',
    'within 48 hours',
    'not affiliated with',
    'needed besides the Zoom account',
    'Only one device may be active in a meeting at a time',
    'cloud recording to be enabled',
    'start meetings, mute, unmute and remove participants, and manage recordings',
  ],
  '/policy': ['30 days', 'within 48 hours', 'not for children under 13', 'no cookies', '731 days', '396 days'],
  '/support': [
    'answered in 24-48 hours',
    'Business hours',
    'Monday to Friday 9-18 IST, Saturday 10-14 IST',
    'Critical',
    '2-4 hours',
    'High',
    '4-8 hours',
    'Standard',
    '8-24 hours',
    'General',
  ],
  '/documentation': [
    'Only one device may be active in a meeting at a time',
    'Start meetings',
    'Mute and unmute participants, one by one or all at once, and remove them',
    'Add users with username, email and password',
    'warns at 7 days or fewer',
    'M4A',
    'H000001',
  ],
}

test('the landing page introduces Parley, and its links work', async ({ page, server }) => {
  const { public_url, host_url, master_url } = server
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await page.goto(public_url)
  await expect(page.getByRole('heading', { name: 'Your trusted digital companion', level: 1 })).toBeVisible()
  await expect(page.getByText('It is not affiliated with, endorsed by or sponsored by Zoom.')).toBeVisible()
  await expect(page.getByText('© 2025 Parley. Last updated July 22, 2025.')).toBeVisible()
  await expect(link('HOME')).toHaveAttribute('href', '/')
  await expect(link('LOGIN')).toHaveAttribute('href', `${host_url}/login`)
  await expect(link('DOCS')).toHaveAttribute('href', '/documentation')
  await expect(link('SUPPORT')).toHaveAttribute('href', '/support')
  const footer = page.getByRole('navigation', { name: 'Footer' })
  for (const [name, href] of [
    ['Documentation', '/documentation'],
    ['Support', '/support'],
    ['Contact Us', 'mailto:support@parley.example'],
    ['Terms of Service', '/terms'],
    ['Privacy Policy', '/policy'],
    ['Host Login', `${host_url}/login`],
    ['Admin Panel', `${master_url}/master-login`],
  ] as const) {
    await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  }
  await expect(footer.getByRole('link')).toHaveCount(7)
  await expect(link('Join a Meeting')).toBeHidden()
})

test('the landing page says for whom Parley is, how it works, and what it takes', async ({ page, server }) => {
  await page.goto(server.public_url)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 2 })).toHaveText([
    'For rooms where many listen and few speak',
    'How it works',
    'Free to try',
    'What it needs from Zoom',
  ])
  await expect(main.getByRole('heading', { level: 3 })).toHaveText([
    'Talks',
    'Prayer and study circles',
    'Trading rooms',
    'Classes',
    'Add your users',
    'They join by phone',
    'You keep order',
    'What has not been tried yet',
  ])
  await expect(main.getByText('npm run demo')).toBeVisible()
  await page.getByRole('link', { name: 'See how it works' }).click()
  await expect(page.getByRole('heading', { name: 'How it works' })).toBeInViewport()
  await page.getByRole('link', { name: 'How to set up Zoom' }).click()
  await expect(page).toHaveURL(/\/documentation#zoom-setup$/)
})

for (const width of [1440, 390]) {
  test(`the landing page's pictures follow its colours, keep their place and are whole at ${width} px`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(server.public_url)
    const pictures = page.getByRole('main').getByRole('img')
    await expect(pictures).toHaveCount(4)
    for (const scheme of ['light', 'dark']) {
      if (scheme === 'dark') await page.getByRole('button', { name: 'Use dark colours' }).click()
      const shown = await pictures.evaluateAll((images) =>
        Promise.all(
          images
            .filter((image) => image instanceof HTMLImageElement)
            .map(async (image) => {
              image.loading = 'eager'
              await image.decode()
              const source = image.parentElement?.querySelector('source')
              const sized = source && matchMedia(source.media).matches ? source : image
              const places = ['width', 'height'].map((of) => 2 * Number(sized.getAttribute(of)))
              const frame = image.parentElement?.parentElement?.getBoundingClientRect()
              const cut = image.getBoundingClientRect().bottom - (frame?.bottom ?? 0)
              return { file: image.currentSrc, places, sizes: [image.naturalWidth, image.naturalHeight], cut }
            }),
        ),
      )
      for (const { file, places, sizes, cut } of shown) {
        expect(file).toContain(`-${scheme}-`)
        expect(sizes, file).toEqual(places)
        expect(cut, file).toBeLessThanOrEqual(0)
      }
      expect(shown[0]?.file.includes('narrow')).toBe(width === 390)
    }
  })
}

test('while the app is not published, the pages say so and have no link to a store', async ({ page, server }) => {
  const toStore = page.locator('a[href*="play.google.com"]')
  await page.goto(server.public_url)
  await expect(page.getByRole('button', { name: /^Google Play/ })).toHaveText(NOT_PUBLISHED)
  await expect(toStore).toHaveCount(0)

  await page.setViewportSize({ width: 360, height: 780 })
  await expect(page.getByText(NOT_PUBLISHED)).toBeVisible()
  await page.goto(`${server.public_url}/documentation`)
  await expect(page.getByText('There is no app in Google Play yet.')).toBeVisible()
  await expect(page.getByText('from Google Play')).toHaveCount(0)
  await expect(toStore).toHaveCount(0)
})

test('on a phone Join a Meeting leads to the phone app', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(server.public_url)
  await page.getByRole('link', { name: 'Join a Meeting' }).click()
  await expect(page).toHaveURL(`${server.phone_url}/`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('each public page has its title, facts and links, and keeps to its content policy', async ({ page, server }) => {
  for (const [path, facts] of Object.entries(FACTS)) {
    await page.goto(server.public_url + path)
    for (const fact of facts) await expect(page.getByRole('main'), path).toContainText(fact)
    await expect(page).toHaveTitle(PUBLIC_PAGES[path]?.title ?? '')
    if (path === '/' || path === '/documentation') continue
    const others = page.getByRole('navigation', { name: 'Other pages' }).getByRole('link')
    await expect(others).toHaveText(['Home', 'Terms of Service', 'Privacy Policy', 'Documentation'])
  }
})

test('the support page has the expected headings, and its contents beside them', async ({ page, server }) => {
  const parts = ['Contact', 'Response times (SLA)', 'Frequently asked questions (FAQ)', 'Troubleshooting']
  await page.goto(`${server.public_url}/support`)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(parts)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await expect(contents.getByRole('link')).toHaveText(parts)
  await contents.getByRole('link', { name: 'Troubleshooting' }).click()
  await expect(page.locator('#troubleshooting')).toBeFocused()
})

test('a link opens the next page at its top, with the keyboard focus there', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 600 })
  await page.goto(server.public_url)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.getByRole('link', { name: 'Terms of Service' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
})

test('prints only the text', async ({ page, server }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.goto(`${server.public_url}/terms`)
  await expect(page.getByRole('article')).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
})

test('no page can be framed by another', async ({ page, server, consoleErrors }) => {
  consoleErrors.allow(/^console: .*frame-ancestors/)
  const inside = ['/', '/login', '/host/online', '/oauth-success'].map((path) => server.host_url + path)
  const frames = inside.map((address) => `<iframe src="${address}"></iframe>`).join('')
  const body = `<link rel="icon" href="data:,">${frames}`
  await page.route('http://stranger.localhost/', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('http://stranger.localhost/')
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toEqual(['http://stranger.localhost/', ...inside.map(() => 'chrome-error://chromewebdata/')])
})
