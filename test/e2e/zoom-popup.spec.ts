import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { http } from '../server-process.ts'
import { type Sites, startSites } from './sites.ts'

const EMAIL = 'ana@studycircle.example'
const CONNECTED = 'Zoom connected! You can now create the host account.'
/** None of these is a site of ours, or Zoom. */
const STRANGER = 'http://stranger.localhost'
const FAKE_ZOOM = 'http://zoom.us.stranger.localhost'

let sites: Sites
let context: BrowserContext
let page: Page
/** What Zoom's pages say about their opener. */
let openerPolicy = 'none'
beforeAll(async () => {
  sites = await startSites()
  context = await sites.browser.newContext()
  page = await context.newPage()
  await page.goto(`${sites.server.master_url}/master/hosts?auth_token=${await sites.tokenOf('master')}`)
  await page.getByRole('button', { name: 'Add New Host' }).first().waitFor()
  await context.route(`${sites.server.emulator_origin}/**`, async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    const said = openerPolicy !== 'none' && { 'cross-origin-opener-policy': openerPolicy }
    await route.fulfill({ response, headers: { ...response.headers(), ...said } })
  })
  for (const origin of [STRANGER, FAKE_ZOOM])
    await context.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Hello' }))
}, 60_000)
afterAll(() => sites.close())

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
  const [own, other] = [await resultOf(EMAIL), await resultOf('bola@studycircle.example')]
  const success = (id: unknown) => ({ type: 'ZOOM_OAUTH_SUCCESS', data: { status: 'integrated', oauth_result_id: id } })
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

/** Connects an account apart from any form; gives the id of the result. */
async function resultOf(email: string): Promise<string> {
  const token = await sites.tokenOf('master')
  const query = new URLSearchParams({ email, return_url: `${sites.server.master_url}/oauth-success` })
  const { auth_url } = (await http(sites.server, 'GET', `/oauth/url?${query}`, { token })).body
  const request = /name="request" value="([^"]+)"/.exec(await (await fetch(auth_url)).text())?.[1] ?? ''
  const body = new URLSearchParams({ request, account: 'other', email, action: 'allow' })
  const consented = await fetch(new URL('/oauth/consent', auth_url), { method: 'POST', redirect: 'manual', body })
  const returned = await fetch(consented.headers.get('location') ?? '', { redirect: 'manual' })
  const end = new URL(returned.headers.get('location') ?? '')
  return end.searchParams.get('oauth_result') ?? ''
}
