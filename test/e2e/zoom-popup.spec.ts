import type { Locator, Page } from '@playwright/test'
import { FAILED_CALL } from './support/console-errors.ts'
import { uniqueName } from './support/hosts.ts'
import { recordRequests, requestsTo } from './support/requests.ts'
import { expect, test } from './support/test.ts'
import { consentResult } from './support/zoom.ts'
import { answerZoom, openZoomWindow } from './support/zoom-window.ts'

const CONNECTED = 'Zoom connected! You can now create the host account.'
/** Sites that belong neither to us nor to Zoom. */
const STRANGERS = ['http://stranger.localhost', 'http://zoom.us.stranger.localhost']
/** Policies that separate a window from its opener; all other tests run without one. */
const COOP_POLICIES = ['same-origin', 'noopener-allow-popups']

test("connecting works with any opener policy of Zoom's pages", async ({ masterPage: page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL) // a separated window appears closed to its opener, so the form may check too early
  let policy = ''
  await page.context().route(`${server.emulator_origin}/**`, async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    await route.fulfill({ response, headers: { ...response.headers(), 'cross-origin-opener-policy': policy } })
  })
  await page.goto(`${server.master_url}/master/hosts`)
  for (policy of COOP_POLICIES) {
    await test.step(policy, async () => {
      const email = newEmail()
      const { form, popup } = await beginConnecting(page, email)
      await expect(popup.getByRole('button', { name: 'Allow' })).toBeInViewport({ ratio: 1 })
      await answerZoom(popup, email, 'Allow')
      await expect(form.getByText(CONNECTED)).toBeVisible()
      await form.getByRole('button', { name: 'Cancel', exact: true }).click()
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(form).toHaveCount(0)
    })
  }
})

test('a forged return page in another tab does not affect a waiting form', async ({
  masterPage: page,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const email = newEmail()
  await page.goto(`${server.master_url}/master/hosts`)
  const { form, popup } = await beginConnecting(page, email)
  const answered = page.waitForResponse('**/api/oauth/results/EVIL')
  const tab = await page.context().newPage()
  const crafted = new URLSearchParams({ oauth_result: 'EVIL', user_email: email, popup: 'true' })
  await tab.goto(`${server.master_url}/oauth-success?${crafted}`, { waitUntil: 'commit' }) // it closes itself
  expect((await answered).status()).toBe(404)
  await expectWaiting(form)

  await answerZoom(popup, email, 'Allow')
  await expect(form.getByText(CONNECTED)).toBeVisible()
})

test('Allow that is pressed twice answers once', async ({ masterPage: page, server, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const email = newEmail()
  await page.goto(`${server.master_url}/master/hosts`)
  const { form, popup } = await beginConnecting(page, email)
  const requests = recordRequests(popup)
  await popup.getByRole('radio', { name: /another account/ }).check()
  await popup.getByLabel('Email of the other account').fill(email)
  let release = () => {}
  const isPressedTwice = new Promise<void>((resolve) => {
    release = resolve
  })
  await popup.route('**/oauth/consent', async (route) => {
    await isPressedTwice
    await route.continue()
  })
  await popup.getByRole('button', { name: 'Allow' }).dblclick({ delay: 150, noWaitAfter: true })
  release()
  await expect(form.getByText(CONNECTED)).toBeVisible()
  expect(requestsTo(requests, '/oauth/consent')).toHaveLength(1)
})

test('a waiting form ignores messages of other origins, and confirms a result with the server', async ({
  masterPage: page,
  server,
}) => {
  for (const origin of STRANGERS) await serveEmptyPage(page, origin)
  const email = newEmail()
  const own = await consentResult(server, email)
  const other = await consentResult(server, newEmail())
  const success = (id: unknown) => ({
    type: 'ZOOM_OAUTH_SUCCESS',
    data: { status: 'integrated', oauth_result_id: id },
  })
  const requests = recordRequests(page)
  await page.goto(`${server.master_url}/master/hosts`)
  const { form, popup } = await beginConnecting(page, email)
  const zoom = popup.url()

  for (const origin of STRANGERS) {
    await leadTo(popup, `${origin}/`)
    await post(popup, success(own), { type: 'ZOOM_OAUTH_ERROR', data: { error: 'x', error_message: 'Call me' } })
    await expectWaiting(form)
  }
  await postFromSandbox(popup, success(own))
  await expectWaiting(form)

  await leadTo(popup, zoom)
  await post(popup, 'ZOOM_OAUTH_SUCCESS', null, { type: 'ZOOM_OAUTH_SUCCESS' }, success(7), success(undefined))
  const answered = page.waitForResponse(`**/api/oauth/results/${other}`)
  await post(popup, success(other))
  expect((await answered).status()).toBe(200)
  await expectWaiting(form)

  await post(popup, success(own)) // this message is accepted, so the others could have been too
  await expect(form.getByText(CONNECTED)).toBeVisible()
  const confirmed = requestsTo(requests, '/api/oauth/results/').map((request) => request.url().split('/').at(-1))
  expect(confirmed).toEqual([other, own])
})

const newEmail = () => `${uniqueName('zoom')}@example.com`

/** Opens Zoom's page from a form that waits for its result. */
async function beginConnecting(page: Page, email: string): Promise<{ form: Locator; popup: Page }> {
  await page.getByRole('button', { name: 'Add New Host' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add New Host Account' })
  await form.getByLabel('Email').fill(email)
  const popup = await openZoomWindow(page)
  await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible()
  return { form, popup }
}

async function expectWaiting(form: Locator): Promise<void> {
  await expect(form.getByRole('button', { name: 'Cancel connecting' })).toBeVisible()
  await expect(form.getByText(/Zoom connected|OAuth failed|was closed/)).toHaveCount(0)
}

async function serveEmptyPage(page: Page, origin: string): Promise<void> {
  await page.context().route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Hello' }))
}

/** Navigates from within the page: a typed address would separate the window from its opener. */
async function leadTo(popup: Page, address: string): Promise<void> {
  await popup.evaluate((to) => window.location.assign(to), address)
  await popup.waitForURL(address)
}

/** Posts to the form that opened the window. */
async function post(popup: Page, ...messages: unknown[]): Promise<void> {
  await popup.evaluate((all) => {
    for (const message of all) window.opener.postMessage(message, '*')
  }, messages)
}

/** Posts to the form from a frame without an origin. */
async function postFromSandbox(popup: Page, message: unknown): Promise<void> {
  await popup.evaluate((data) => {
    const frame = document.createElement('iframe')
    frame.sandbox.add('allow-scripts')
    frame.srcdoc = `<script>top.opener.postMessage(${JSON.stringify(data)}, '*'); parent.postMessage('posted', '*')</script>`
    const posted = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }))
    document.body.append(frame)
    return posted
  }, message)
}
