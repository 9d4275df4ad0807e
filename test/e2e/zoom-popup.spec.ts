import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resultOf, type Sites, startSites, stored } from './sites.ts'

const EMAIL = 'ana@studycircle.example'
const CONNECTED = 'Zoom connected! You can now create the host account.'
/** None of these is a site of ours, or Zoom. */
const STRANGER = 'http://stranger.localhost'
const FAKE_ZOOM = 'http://zoom.us.stranger.localhost'

let sites: Sites
beforeAll(async () => {
  sites = await startSites()
}, 60_000)
afterAll(() => sites.close())

async function openHosts(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${await sites.tokenOf('master')}`)
  await page.getByRole('button', { name: 'Add New Host' }).first().waitFor()
  return page
}

describe('the return page in a window of its own', () => {
  let context: BrowserContext
  /** A master's page that keeps what it hears, as a form that waits for Zoom would. */
  let page: Page
  beforeAll(async () => {
    context = await sites.browser.newContext()
    page = await openHosts(context)
    await listen(page)
  })
  beforeEach(() => page.evaluate(() => void Reflect.get(window, 'heard').splice(0)))
  afterAll(() => context.close())

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
    const closed = popup.isClosed() ? null : popup.waitForEvent('close')
    await Promise.race([closed, popup.locator('h1').waitFor()]).catch(() => {}) // it may be gone before it is looked at
    const shownAt = Date.now()
    await closed
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
})

describe('a form that waits for Zoom', () => {
  let context: BrowserContext
  let page: Page
  /** What Zoom's pages say about their opener. */
  let openerPolicy = 'none'
  beforeAll(async () => {
    context = await sites.browser.newContext()
    page = await openHosts(context)
    await context.route(`${sites.server.emulator_origin}/**`, async (route) => {
      const response = await route.fetch({ maxRedirects: 0 })
      const said = openerPolicy !== 'none' && { 'cross-origin-opener-policy': openerPolicy }
      await route.fulfill({ response, headers: { ...response.headers(), ...said } })
    })
    for (const origin of [STRANGER, FAKE_ZOOM])
      await context.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Hello' }))
  })
  afterAll(() => context.close())

  let form: Locator
  let popup: Page
  beforeEach(async () => {
    openerPolicy = 'none'
    await page.getByRole('button', { name: 'Add New Host' }).first().click()
    form = page.getByRole('dialog', { name: 'Add New Host Account' })
  })
  afterEach(async () => {
    await form.getByRole('button', { name: 'Cancel', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    if (!popup.isClosed()) await popup.close()
  })

  /** As far as Zoom's page, with a form that waits for what is answered there. */
  async function beginConnecting() {
    await form.getByLabel('Email').fill(EMAIL)
    const opened = context.waitForEvent('page')
    await form.getByRole('button', { name: 'Connect Zoom' }).click()
    popup = await opened
    await popup.getByRole('button', { name: 'Allow' }).waitFor()
  }

  async function expectStillWaiting() {
    await form.getByRole('button', { name: 'Cancel connecting' }).waitFor()
    expect(await form.getByText(/Zoom connected|OAuth failed|was closed/).count()).toBe(0)
  }

  test.each(['none', 'unsafe-none', 'same-origin-allow-popups', 'same-origin', 'noopener-allow-popups'])(
    "SEC-65 connecting works when Zoom's pages say COOP %s",
    async (policy) => {
      openerPolicy = policy
      await beginConnecting()
      await popup.getByRole('radio', { name: /Ana Lima/ }).check()
      const allowedAt = Date.now()
      await popup.getByRole('button', { name: 'Allow' }).click()
      await form.getByText(CONNECTED).waitFor()
      expect(Date.now() - allowedAt).toBeLessThan(3000)
      expect(await form.getByText('was closed').count()).toBe(0)
    },
  )

  test('SEC-64 a crafted return page in another tab changes nothing for a form that waits', async () => {
    await beginConnecting()
    const asked = page.waitForResponse('**/api/oauth/results/EVIL')
    const tab = await context.newPage()
    await tab.goto(`${sites.server.master_url}/oauth-success?oauth_result=EVIL&user_email=${EMAIL}&popup=true`)
    expect((await asked).status()).toBe(404)
    await expectStillWaiting()
    if (!tab.isClosed()) await tab.close()
  })

  test('SEC-63 a form that waits believes no stranger, and of Zoom only what the server confirms', async () => {
    const [own, other] = [await resultOf(sites, EMAIL), await resultOf(sites, 'bola@studycircle.example')]
    const success = (id: unknown) => ({
      type: 'ZOOM_OAUTH_SUCCESS',
      data: { status: 'integrated', oauth_result_id: id },
    })
    await beginConnecting()
    const zoom = popup.url()

    for (const origin of [STRANGER, FAKE_ZOOM]) {
      await leadTo(`${origin}/`)
      await say(popup, success(own), { type: 'ZOOM_OAUTH_ERROR', data: { error: 'x', error_message: 'Call me' } })
      await expectStillWaiting()
    }
    await popup.evaluate((message) => {
      const frame = document.createElement('iframe')
      frame.sandbox.add('allow-scripts')
      frame.srcdoc = `<script>top.opener.postMessage(${JSON.stringify(message)}, '*'); parent.postMessage('said', '*')</script>`
      const said = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }))
      document.body.append(frame)
      return said
    }, success(own))
    await expectStillWaiting()

    await leadTo(zoom)
    await say(popup, 'ZOOM_OAUTH_SUCCESS', null, { type: 'ZOOM_OAUTH_SUCCESS' }, success(7), success(undefined))
    await expectStillWaiting()
    const asked = page.waitForResponse(`**/api/oauth/results/${other}`)
    await say(popup, success(other))
    expect((await asked).status()).toBe(200)
    await expectStillWaiting()

    await say(popup, success(own)) // this one is confirmed, so all the others could have been
    await form.getByText(CONNECTED).waitFor()
  })

  /** As a page leads its visitor on: an address that is typed would part the window from its opener. */
  async function leadTo(address: string): Promise<void> {
    await popup.evaluate((to) => window.location.assign(to), address)
    await popup.waitForURL(address)
  }

  async function say(from: Page, ...messages: unknown[]): Promise<void> {
    await from.evaluate((all) => {
      for (const message of all) window.opener.postMessage(message, '*')
    }, messages)
  }
})
