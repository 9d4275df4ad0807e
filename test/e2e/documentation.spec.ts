import type { Page } from '@playwright/test'
import { pressEnter } from './support/keys.ts'
import { expect, test } from './support/test.ts'

test('the documentation can be searched and browsed by keyboard', async ({ page, server }) => {
  await openDocumentation(page, server.public_url)
  const search = page.getByLabel('Search the documentation')
  await expect(async () => {
    await page.keyboard.press('/') // the page can be read before its program runs
    await expect(search).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.type('new phone')
  await expect(page.getByRole('status')).toHaveText(/\d found/)
  await expect(page.getByRole('search').getByRole('link').first()).toHaveText('When someone has a new phone')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/documentation#users-switch$/)
  await expect(page.locator('#users-switch')).toBeFocused()
  const topic = page.getByRole('heading', { name: 'When someone has a new phone' })
  await expect.poll(() => topic.evaluate((heading) => heading.getBoundingClientRect().top)).toBeLessThan(100)

  await search.fill('zzz')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Cloud Recordings' }).click()
  await expect(page).toHaveURL(/\/documentation#recordings$/)
})

test('the search finds titles first, and marks what it finds', async ({ page, server }) => {
  await openDocumentation(page, server.public_url)
  await page.getByLabel('Search the documentation').fill('mute all')
  const results = page.getByRole('search').getByRole('link')
  await expect(results.first()).toHaveText('Mute All and Unmute All')
  await expect(results.first().locator('mark')).toHaveText(['Mute All', 'mute All'])
  await expect(page.getByRole('search').getByRole('paragraph').first().locator('mark').first()).toHaveText(/mute all/i)
  const marked = () => page.evaluate(() => CSS.highlights.get('documentation-search')?.size ?? 0)
  await expect.poll(marked).toBeGreaterThan(5)
  await page.getByLabel('Search the documentation').fill('')
  await expect.poll(marked).toBe(0)
})

test('words in the address are searched for', async ({ page, server }) => {
  await page.goto(`${server.public_url}/documentation?search=lost+phone`)
  await expect(page.getByLabel('Search the documentation')).toHaveValue('lost phone')
  await expect(page.getByRole('search').getByRole('link').first()).toHaveText('When someone has a new phone')
})

test('the contents mark the chapter in view, and the focus ring of the search is whole', async ({ page, server }) => {
  await openDocumentation(page, server.public_url)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  const current = contents.locator('[aria-current]')
  await expect(current).toHaveText('Before you begin')
  await contents.getByRole('link', { name: 'Cloud Recordings' }).press('Enter')
  await expect(current).toHaveText('Cloud Recordings')
  await page.locator('#app-info').evaluate((chapter) => chapter.scrollIntoView())
  await expect(current).toHaveText('App Info.')

  const field = page.getByLabel('Search the documentation')
  await field.focus()
  const room = await field.evaluate((input) => {
    const side = input.closest('div[class*=side]')?.getBoundingClientRect()
    const frame = input.parentElement?.getBoundingClientRect()
    return side && frame ? Math.min(frame.left - side.left, side.right - frame.right, frame.top - side.top) : 0
  })
  expect(room).toBeGreaterThanOrEqual(4)
})

test('on a phone the title comes first, and the contents are folded', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await openDocumentation(page, server.public_url)
  const topOf = (text: string) =>
    page
      .getByText(text, { exact: true })
      .first()
      .evaluate((element) => element.getBoundingClientRect().top)
  expect(await topOf('Documentation')).toBeLessThan(await topOf('Search the documentation'))
  const link = page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Rooms Master' })
  await expect(link).toBeHidden()
  await pressEnter(page.getByText('Contents', { exact: true }))
  await pressEnter(link)
  await expect(page).toHaveURL(/#rooms$/)
  await expect(link).toBeHidden()

  await page.getByRole('navigation', { name: 'Contents' }).evaluate((contents) => {
    contents.querySelector('summary')?.click()
    contents.querySelector<HTMLAnchorElement>('a[href$="#online"]')?.click() // before the browser reports the event
  })
  await expect(page).toHaveURL(/#online$/)
  await expect(link).toBeHidden()
})

test('the documentation has pictures with alternative texts, and an address for each topic', async ({
  page,
  server,
}) => {
  await openDocumentation(page, server.public_url)
  const pictures = page.locator('article img')
  await expect.poll(() => pictures.count()).toBeGreaterThan(12)
  await expect(page.locator('article img:not([alt]), article img[alt=""]')).toHaveCount(0)
  await pictures.evaluateAll(async (images) => {
    const shown = images.filter((image) => image instanceof HTMLImageElement)
    for (const image of shown) image.loading = 'eager'
    await Promise.all(shown.map((image) => image.decode())) // rejects if a picture is missing
  })
  const ids = await page.locator('[data-topic]').evaluateAll((topics) => topics.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)

  await page.goto('about:blank')
  await openDocumentation(page, server.public_url, '#100%') // names no section and cannot be decoded
})

test('the documentation shows the guides, with the addresses of this installation', async ({ page, server }) => {
  await openDocumentation(page, server.public_url)
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Set up Zoom' }).click()
  const guide = page.locator('#zoom-setup')
  await expect(guide.getByRole('heading', { name: 'Set up Zoom', exact: true })).toBeVisible()
  await expect(guide).not.toContainText('parley.example')
  for (const address of [`${server.host_url}/login`, `${server.master_url}/master-login`]) {
    await expect(page.getByRole('article').getByRole('link', { name: address })).toHaveAttribute('href', address)
  }
  const rows = guide.locator('#zoom-setup-the-addresses tbody tr')
  await expect(rows).toContainText(
    ['/api/oauth/callback', '/api/zoom/webhooks'].map((path) => server.public_url + path),
  )
  await page.getByLabel('Search the documentation').fill('invalid redirect')
  await expect(page.getByRole('search').getByRole('link').first()).toHaveText("What Zoom's refusals mean")
})

async function openDocumentation(page: Page, publicUrl: string, part = ''): Promise<void> {
  await page.goto(`${publicUrl}/documentation${part}`)
  await expect(page.getByRole('heading', { name: 'Documentation', exact: true })).toBeVisible()
}
