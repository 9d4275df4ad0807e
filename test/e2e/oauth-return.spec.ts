import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sites, startSites, stored } from './sites.ts'

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

const open = (address: string) => page.goto(sites.server.master_url + address)
const says = (text: string) => page.getByText(text, { exact: true }).waitFor()

const CONNECTED = 'Zoom connected! You can now continue.'
const INVALID = 'Invalid OAuth callback parameters'

test.each([
  ['?oauth_result=r1&user_email=a@b.co&status=success', CONNECTED],
  ['#oauth_result=r1', CONNECTED],
  ['?status=integrated&host_id=h7&user_email=a@b.co', 'Zoom integration completed for a@b.co.'],
  ['#oauth_status=integrated&host_id=h7&oauth_email=a@b.co', 'Zoom integration completed for a@b.co.'],
  ['?status=success', 'Zoom authentication successful.'],
  ['?access_token=TOP-SECRET&user_email=a@b.co', 'Zoom authentication successful for a@b.co.'],
  ['#oauth_token=TOP-SECRET&oauth_email=a@b.co', 'Zoom authentication successful for a@b.co.'],
])('/oauth-success%s is a success', async (query, text) => {
  const asked: string[] = []
  context.on('request', (request) => asked.push(request.url() + (request.postData() ?? '')))
  await open(`/oauth-success${query}`)
  await page.getByRole('heading', { name: 'Zoom Integration Successful!' }).waitFor()
  await says(text)
  expect(await page.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe(
    `${sites.server.master_url}/master/dashboard`,
  )
  await page.getByRole('link', { name: 'Add New Host' }).waitFor()
  // SEC-66: nothing of it stays in the address, or goes anywhere but to the page that it came with.
  expect(page.url()).toBe(`${sites.server.master_url}/oauth-success`)
  expect(asked.slice(1).join(' ')).not.toContain('TOP-SECRET')
  expect(JSON.stringify(await stored(page))).not.toContain('TOP-SECRET')
})

test.each(['', '?access_token=t', '?status=integrated', '?status=failed&user_email=a@b.co'])(
  '/oauth-success%s is a failure',
  async (query) => {
    await open(`/oauth-success${query}`)
    await page.getByRole('heading', { name: 'Integration Failed' }).waitFor()
    await says('An error occurred during Zoom integration. Please try again.')
    await says(INVALID)
    await page.getByRole('link', { name: 'Back to Dashboard' }).waitFor()
    expect(await page.getByRole('link', { name: 'Add New Host' }).count()).toBe(0)
  },
)

test('what cannot be read at all is a failure too', async () => {
  await page.addInitScript(() => {
    const { replaceState } = History.prototype
    History.prototype.replaceState = function replace(...args) {
      if (args[2] === '/oauth-success') throw new DOMException('Too many calls', 'SecurityError')
      return replaceState.apply(this, args)
    }
  })
  await open('/oauth-success?oauth_result=r1')
  await says('Failed to process OAuth callback')
})

test.each([
  [
    '?oauth_result=r1&user_email=a@b.co',
    '/master/hosts/add?modal=add-host&oauth_email=a%40b.co&oauth_status=integrated',
  ],
  ['?status=integrated&host_id=h7&user_email=a@b.co', '/master/dashboard?oauth_email=a%40b.co&oauth_status=integrated'],
])('a whole page goes on by itself after 3 seconds, from %s to %s', async (query, end) => {
  await open(`/oauth-success${query}`)
  await page.getByRole('heading', { name: 'Zoom Integration Successful!' }).waitFor()
  const shownAt = Date.now()
  await page.waitForRequest(sites.server.master_url + end)
  expect(Date.now() - shownAt).toBeGreaterThan(2500)
})

test('a callback that nobody began ends on the error page', async () => {
  await page.goto(`${sites.server.public_url}/api/oauth/callback?code=c&state=s`)
  await says('Invalid OAuth request. Please try again or contact support if the issue persists.')
  await says('Error code: invalid_request')
})

test('SEC-56 words of somebody else are short, plain text', async () => {
  const words = `${'\u202e\u0007'}<a href="https://evil.example">Call</a> ${'x'.repeat(5000)}`
  await open(`/oauth-error?${new URLSearchParams({ error: 'call +1 555 0100', error_description: words })}`)
  const shown = page.locator('main p').first()
  expect(await shown.textContent()).toMatch(/^<a href="https:\/\/evil\.example">Call<\/a> x+$/)
  expect((await shown.textContent())?.length).toBe(200)
  expect(await page.locator('main a[href*=evil]').count()).toBe(0)
  await says('Error code: unknown')
})
