import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sites, startSites, stored } from './sites.ts'

let sites: Sites
let context: BrowserContext
/** A master's page that keeps what it hears, as a form that waits for Zoom would. */
let page: Page
beforeAll(async () => {
  sites = await startSites()
  context = await sites.browser.newContext()
  page = await context.newPage()
  await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${await sites.tokenOf('master')}`)
  await page.getByRole('button', { name: 'Add New Host' }).first().waitFor()
  await listen(page)
}, 60_000)
beforeEach(() => page.evaluate(() => void Reflect.get(window, 'heard').splice(0)))
afterAll(() => sites.close())

async function listen(on: Page): Promise<void> {
  await on.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    window.addEventListener('message', ({ data, origin }) => heard.push({ by: 'window', origin, data }))
    new BroadcastChannel('parley-oauth').onmessage = ({ data }) => heard.push({ by: 'broadcast', data })
  })
}

const heard = (on = page) => on.evaluate(() => Reflect.get(window, 'heard'))

/** Opens a return page as the form opens Zoom's; gives the popup as soon as there is one. */
async function openPopup(address: string, features = 'popup', from = page) {
  const opened = from.context().waitForEvent('page')
  await from.evaluate(([url, how]) => void window.open(url, 'zoom_oauth', how), [address, features])
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
  const popup = await openPopup(address)
  expect(await lifeOf(popup)).toBeLessThan(3000)
  expect(await heard()).toEqual([{ by: 'window', origin: sites.server.master_url, data: message }])
})

test('a popup that has lost its opener speaks on the channel', async () => {
  const popup = await openPopup('/oauth-success?oauth_result=r1&popup=true', 'popup,noopener')
  await lifeOf(popup)
  expect(await heard()).toEqual([
    { by: 'broadcast', data: { type: 'ZOOM_OAUTH_SUCCESS', data: { status: 'integrated', oauth_result_id: 'r1' } } },
  ])
})

test('a page of another origin that opens the return page hears nothing', async () => {
  const other = await context.newPage()
  await other.goto(`${sites.server.public_url}/support`)
  await listen(other)
  const popup = await openPopup(`${sites.server.host_url}/oauth-success?oauth_result=r1&popup=true`, 'popup', other)
  await lifeOf(popup)
  expect(await heard(other)).toEqual([])
  await other.close()
})

test('SEC-23 the popup has dropped the copy of the session before it reports, and the opener keeps its own', async () => {
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
