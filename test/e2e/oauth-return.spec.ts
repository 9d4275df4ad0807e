import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { passTimeUntil, type Sites, startSites, stillContext, stored } from './sites.ts'

let sites: Sites
let context: BrowserContext
let page: Page
/** All that the page has asked for in one test. */
let asked: string[] = []
beforeAll(async () => {
  sites = await startSites()
  context = await sites.browser.newContext()
  page = await context.newPage() // one for all: a fresh one would fetch everything again
  page.on('request', (request) => asked.push(request.url() + (request.postData() ?? '')))
}, 60_000)
beforeEach(() => {
  asked = []
})
afterAll(() => sites.close())

/** By way of an empty page: an address that differs in its hash alone would load nothing. */
async function open(address: string) {
  await page.goto('about:blank')
  await page.goto(sites.server.master_url + address)
}
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
])('SEC-66 /oauth-success%s is a success, and keeps and sends on nothing of its address', async (query, text) => {
  await open(`/oauth-success${query}`)
  await page.getByRole('heading', { name: 'Zoom Integration Successful!' }).waitFor()
  await says(text)
  expect(await page.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe(
    `${sites.server.master_url}/master/dashboard`,
  )
  await page.getByRole('link', { name: 'Add New Host' }).waitFor()
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

test('the return page says that it is at work, and then how it ended', async () => {
  const watched = await context.newPage()
  await watched.addInitScript(() => {
    const shown = new Set<string>()
    Object.assign(window, { shown })
    const look = () => {
      for (const { textContent } of document.querySelectorAll('p, span, div, h1')) shown.add(textContent)
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  await watched.goto(`${sites.server.master_url}/oauth-success?oauth_result=r1`)
  await watched.getByText(CONNECTED, { exact: true }).waitFor()
  const shown = await watched.evaluate(() => [...Reflect.get(window, 'shown')])
  expect(shown).toEqual(expect.arrayContaining(['Processing Zoom Integration...', CONNECTED]))
  await watched.close()
})

test('what cannot be read at all is a failure too', async () => {
  const broken = await context.newPage()
  await broken.addInitScript(() => {
    const { replaceState } = History.prototype
    History.prototype.replaceState = function replace(...args) {
      if (args[2] === '/oauth-success') throw new DOMException('Too many calls', 'SecurityError')
      return replaceState.apply(this, args)
    }
  })
  await broken.goto(`${sites.server.master_url}/oauth-success?oauth_result=r1`)
  await broken.getByText('Failed to process OAuth callback', { exact: true }).waitFor()
  await broken.close()
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

test.each([
  [
    'email_mismatch&error_description=Something+else',
    'The Zoom account email does not match the expected email address. Please ensure you are using the correct Zoom account.',
  ],
  ['access_denied', 'Zoom access was denied. Please try again and ensure you grant the necessary permissions.'],
  ['invalid_request', 'Invalid OAuth request. Please try again or contact support if the issue persists.'],
  ['server_error', 'A server error occurred during authentication. Please try again later.'],
  ['other&error_description=Zoom+is+closed+today.', 'Zoom is closed today.'],
  ['', 'An unexpected error occurred during Zoom integration. Please try again.'],
])('/oauth-error?error=%s explains itself', async (query, text) => {
  await open(`/oauth-error?error=${query}`)
  await page.getByRole('heading', { name: 'Zoom Integration Failed' }).waitFor()
  await says(text)
  await says(`Error code: ${query.split('&')[0] || 'unknown'}`)
  expect(await page.getByRole('listitem').count()).toBeGreaterThan(2)
})

test('/oauth-error offers three ways on', async () => {
  await open('/support')
  await page.goto(`${sites.server.master_url}/oauth-error?error=access_denied`)
  const toDashboard = page.getByRole('link', { name: 'Back to Dashboard' })
  expect(await toDashboard.getAttribute('href')).toBe(`${sites.server.master_url}/admin/dashboard`)
  const toSupport = page.getByRole('link', { name: 'Contact Support' })
  expect(await toSupport.getAttribute('href')).toMatch(/^mailto:support@parley\.example\?subject=.*access_denied$/)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.waitForURL('**/support')
})

test.each([
  [
    '?oauth_result=r1&user_email=a@b.co',
    '/master/hosts/add?modal=add-host&oauth_email=a%40b.co&oauth_status=integrated&oauth_result_id=r1',
  ],
  ['?status=integrated&host_id=h7&user_email=a@b.co', '/master/dashboard?oauth_email=a%40b.co&oauth_status=integrated'],
])('a whole page goes on by itself after 3 seconds, from %s to %s', async (query, end) => {
  const still = await stillContext(sites)
  const left = await still.newPage()
  const gone: string[] = []
  left.on('request', (request) => gone.push(request.url()))
  await left.goto(`${sites.server.master_url}/oauth-success${query}`)
  await left.getByRole('heading', { name: 'Zoom Integration Successful!' }).waitFor()
  expect(await passTimeUntil(left, () => gone.includes(sites.server.master_url + end))).toBeGreaterThanOrEqual(3000)
  await still.close()
})
