import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sites, signInAsMaster, startSites, stored } from './sites.ts'

let sites: Sites
let context: BrowserContext
let page: Page
beforeAll(async () => {
  sites = await startSites()
}, 60_000)
afterAll(() => sites.close())
beforeEach(async () => {
  context = await sites.browser.newContext()
  page = await context.newPage()
})
afterEach(() => context.close())

/** A master's page that keeps what it hears, as a form that waits for Zoom would. */
async function openListener() {
  await page.goto(`${sites.server.master_url}/master-login`)
  await signInAsMaster(page)
  await page.getByRole('heading', { name: 'Host Management' }).waitFor()
  await page.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    window.addEventListener('message', ({ data, origin }) => heard.push({ by: 'window', origin, data }))
    new BroadcastChannel('parley-oauth').onmessage = ({ data }) => heard.push({ by: 'broadcast', data })
  })
}

const heard = () => page.evaluate(() => Reflect.get(window, 'heard'))

/** Opens a return page as the form opens Zoom's; gives the popup as soon as there is one. */
async function openPopup(address: string, features = 'popup') {
  const opened = context.waitForEvent('page')
  await page.evaluate(([url, how]) => void window.open(url, 'zoom_oauth', how), [address, features])
  return opened
}

async function lifeOf(popup: Page): Promise<number> {
  await popup.locator('h1').waitFor()
  const shownAt = Date.now()
  if (!popup.isClosed()) await popup.waitForEvent('close')
  return Date.now() - shownAt
}

test.each([
  [
    '/oauth-success?oauth_result=r1&user_email=a@b.co&status=success',
    { type: 'ZOOM_OAUTH_SUCCESS', data: { status: 'integrated', oauth_result_id: 'r1', user_email: 'a@b.co' } },
  ],
  [
    '/oauth-success?status=integrated&host_id=h7&user_email=a@b.co&popup=true',
    { type: 'ZOOM_OAUTH_SUCCESS', data: { status: 'integrated', user_email: 'a@b.co', host_id: 'h7' } },
  ],
  [
    '/oauth-success?popup=true',
    {
      type: 'ZOOM_OAUTH_ERROR',
      data: { error: 'invalid_parameters', error_message: 'Invalid OAuth callback parameters' },
    },
  ],
  [
    '/oauth-error?error=access_denied&popup=true',
    {
      type: 'ZOOM_OAUTH_ERROR',
      data: {
        error: 'access_denied',
        error_message: 'Zoom access was denied. Please try again and ensure you grant the necessary permissions.',
      },
    },
  ],
])('the popup at %s reports to its opener, and closes', async (address, message) => {
  await openListener()
  const popup = await openPopup(address)
  expect(await lifeOf(popup)).toBeLessThan(3000)
  expect(await heard()).toEqual([{ by: 'window', origin: sites.server.master_url, data: message }])
})

test('SEC-23 the popup has dropped the copy of the session before it reports, and the opener keeps its own', async () => {
  await openListener()
  await context.addInitScript(() => {
    window.addEventListener('DOMContentLoaded', () => {
      Object.assign(window, { keptAtStart: sessionStorage.getItem('parley.session') })
    })
    window.close = () => {}
  })
  const popup = await openPopup('/oauth-success?oauth_result=r1&popup=true')
  await popup.getByText('Zoom connected! You can now continue.').waitFor()
  expect(await popup.evaluate(() => Reflect.get(window, 'keptAtStart'))).toBeNull()
  expect(await stored(popup)).toEqual({})
  expect(Object.keys(await stored(page))).toEqual(['parley.session'])
})

test('a popup that has lost its opener speaks on the channel', async () => {
  await openListener()
  const popup = await openPopup('/oauth-success?oauth_result=r1&popup=true', 'popup,noopener')
  await popup.locator('h1').waitFor()
  await page.waitForFunction(() => Reflect.get(window, 'heard').length > 0)
  expect(await heard()).toEqual([
    { by: 'broadcast', data: { type: 'ZOOM_OAUTH_SUCCESS', data: { status: 'integrated', oauth_result_id: 'r1' } } },
  ])
})

test('a page of another origin that opens the return page hears nothing', async () => {
  await page.goto(`${sites.server.public_url}/support`)
  await page.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    window.addEventListener('message', ({ data }) => heard.push(data))
  })
  const popup = await openPopup(`${sites.server.host_url}/oauth-success?oauth_result=r1&popup=true`)
  await lifeOf(popup)
  expect(await heard()).toEqual([])
})

test.each(['none', 'unsafe-none', 'same-origin-allow-popups', 'same-origin', 'noopener-allow-popups'])(
  "SEC-65 connecting works when Zoom's pages say COOP %s",
  async (policy) => {
    await context.route(`${sites.server.emulator_origin}/**`, async (route) => {
      const response = await route.fetch({ maxRedirects: 0 })
      const headers = { ...response.headers(), ...(policy !== 'none' && { 'cross-origin-opener-policy': policy }) }
      await route.fulfill({ response, headers })
    })
    await openListener()
    await page.getByRole('button', { name: 'Add New Host' }).click()
    const form = page.getByRole('dialog', { name: 'Add New Host Account' })
    await form.getByLabel('Email').fill('ana@studycircle.example')
    const opened = context.waitForEvent('page')
    await form.getByRole('button', { name: 'Connect Zoom' }).click()
    const popup = await opened
    await popup.getByRole('radio', { name: /Ana Lima/ }).check()
    const allowedAt = Date.now()
    await popup.getByRole('button', { name: 'Allow' }).click()
    await form.getByText('Zoom connected! You can now create the host account.').waitFor()
    expect(Date.now() - allowedAt).toBeLessThan(3000)
    expect(await form.getByText('was closed').count()).toBe(0)
  },
)

test('SEC-64 a crafted return page in another tab changes nothing for a form that waits', async () => {
  await openListener()
  await page.getByRole('button', { name: 'Add New Host' }).click()
  const form = page.getByRole('dialog', { name: 'Add New Host Account' })
  await form.getByLabel('Email').fill('ana@studycircle.example')
  const opened = context.waitForEvent('page')
  await form.getByRole('button', { name: 'Connect Zoom' }).click()
  const popup = await opened
  await popup.getByRole('button', { name: 'Allow' }).waitFor()

  const asked = page.waitForResponse('**/api/oauth/results/EVIL')
  const tab = await context.newPage()
  await tab.goto(
    `${sites.server.master_url}/oauth-success?oauth_result=EVIL&user_email=ana@studycircle.example&popup=true`,
  )
  expect((await asked).status()).toBe(404)
  await form
    .getByRole('button', { name: /Connecting|Waiting|Cancel/ })
    .first()
    .waitFor()
  expect(await form.getByText(/Zoom connected/).count()).toBe(0)
  expect(await form.getByText(/OAuth failed/).count()).toBe(0)
})
