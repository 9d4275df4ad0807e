import type { Page } from '@playwright/test'
import { storedSession } from './support/hosts.ts'
import { recordRequests } from './support/requests.ts'
import { expect, test } from './support/test.ts'

const STEP_MS = 250

for (const query of ['?access_token=TOP-SECRET&user_email=a@b.co', '#oauth_token=TOP-SECRET&oauth_email=a@b.co']) {
  test(`/oauth-success${query} is a success, and neither keeps nor passes on its parameters`, async ({
    page,
    server,
  }) => {
    await stopTime(page) // otherwise it would redirect by itself
    const requests = recordRequests(page)
    await page.goto(`${server.master_url}/oauth-success${query}`)
    await expect(page.getByRole('heading', { name: 'Zoom Integration Successful!' })).toBeVisible()
    await expect(page.getByText('Zoom authentication successful for a@b.co.', { exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute(
      'href',
      `${server.master_url}/master/dashboard`,
    )
    await expect(page.getByRole('link', { name: 'Add New Host' })).toHaveAttribute(
      'href',
      `${server.master_url}/master/hosts?modal=add-host`,
    )
    await expect(page).toHaveURL(`${server.master_url}/oauth-success`)
    const [, ...later] = requests
    const sent = later.map((request) => [request.url(), request.headers().referer, request.postData()])
    expect(JSON.stringify(sent)).not.toContain('TOP-SECRET')
    expect(JSON.stringify(await storedSession(page))).not.toContain('TOP-SECRET')
  })
}

test('a full page shows progress, then success, and redirects after 3 seconds', async ({ page, server }) => {
  await stopTime(page)
  await page.addInitScript(() => {
    const shown = new Set<string>()
    Object.assign(window, { shown })
    const record = () => {
      for (const { textContent } of document.querySelectorAll('p, span, div')) shown.add(textContent)
    }
    new MutationObserver(record).observe(document, { childList: true, subtree: true })
  })
  const requests = recordRequests(page)
  await page.goto(`${server.master_url}/oauth-success?oauth_result=r1&user_email=a@b.co`)
  await expect(page.getByText('Zoom connected! You can now continue.', { exact: true })).toBeVisible()
  const shown = await page.evaluate(() => [...Reflect.get(window, 'shown')])
  expect(shown).toContain('Processing Zoom Integration...')

  const end = '/master/hosts/add?modal=add-host&oauth_email=a%40b.co&oauth_status=integrated&oauth_result_id=r1'
  const isLeft = () => requests.some((request) => request.url() === server.master_url + end)
  expect(await passTimeUntil(page, isLeft)).toBeGreaterThanOrEqual(3000)
})

test('a return with missing parameters is a failure', async ({ page, server }) => {
  await page.goto(`${server.master_url}/oauth-success?status=failed&user_email=a@b.co`)
  await expect(page.getByRole('heading', { name: 'Integration Failed' })).toBeVisible()
  await expect(page.getByText('An error occurred during Zoom integration. Please try again.')).toBeVisible()
  await expect(page.getByText('Invalid OAuth callback parameters', { exact: true })).toBeVisible()
  await expect(page.getByRole('link')).toHaveText(['Back to Dashboard'])
})

test('a malformed return is a failure', async ({ page, server }) => {
  await page.addInitScript(() => {
    const { replaceState } = History.prototype
    History.prototype.replaceState = function replace(...args) {
      if (args[2] === '/oauth-success') throw new DOMException('Too many calls', 'SecurityError')
      return replaceState.apply(this, args)
    }
  })
  await page.goto(`${server.master_url}/oauth-success?oauth_result=r1`)
  await expect(page.getByText('Failed to process OAuth callback', { exact: true })).toBeVisible()
})

test('a callback without a started flow ends on the error page, with its three buttons', async ({ page, server }) => {
  await page.goto(`${server.public_url}/support`)
  await page.goto(`${server.public_url}/api/oauth/callback?code=c&state=s`)
  await expect(page.getByRole('heading', { name: 'Zoom Integration Failed' })).toBeVisible()
  const text = 'Invalid OAuth request. Please try again or contact support if the issue persists.'
  await expect(page.getByText(text, { exact: true })).toBeVisible()
  await expect(page.getByText('Error code: invalid_request', { exact: true })).toBeVisible()
  await expect(page.getByRole('listitem').first()).toHaveText(/^Press Connect Zoom again\./)

  await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute(
    'href',
    `${server.master_url}/admin/dashboard`,
  )
  await expect(page.getByRole('link', { name: 'Contact Support' })).toHaveAttribute(
    'href',
    /^mailto:support@parley\.example\?subject=.*invalid_request$/,
  )
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page).toHaveURL(`${server.public_url}/support`)
})

test('a link cannot put its own text on the page, and a signed-in tab stays signed in', async ({
  masterPage: page,
  server,
}) => {
  const words = 'Your account is locked. <a href="https://evil.example">Call +1 900 555 0100</a>'
  for (const error of ['access_denied', 'call +1 900 555 0100', 'your_account_is_locked']) {
    const query = new URLSearchParams({ popup: 'true', error, error_description: words })
    await page.goto(`${server.master_url}/oauth-error?${query}`)
    await expect(page.getByRole('heading', { name: 'Zoom Integration Failed' })).toBeVisible()
    await expect(page.getByText(`Error code: ${error === 'access_denied' ? error : 'unknown'}`)).toBeVisible()
    await expect(page.locator('body')).not.toContainText(/locked|900|evil/i)
    await expect(page.locator('a[href*=evil]')).toHaveCount(0)
  }
  await page.goto(`${server.master_url}/oauth-success?popup=true&oauth_result=r1`)
  await expect(page.getByText('Zoom connected! You can now continue.')).toBeVisible()
  await page.goto(`${server.master_url}/master/hosts`)
  await expect(page.getByRole('heading', { name: 'Host Management' })).toBeVisible()
})

/** Freezes time in the page and its popups; only the test advances it. */
async function stopTime({ clock }: Page): Promise<void> {
  await clock.install()
  await clock.pauseAt(Date.now() + 3_600_000)
}

/** Advances time in the page until the condition holds; returns the milliseconds it took. */
async function passTimeUntil({ clock }: Page, isDone: () => boolean): Promise<number> {
  let passed = 0
  const step = async () => {
    if (isDone()) return true
    await clock.runFor(STEP_MS)
    passed += STEP_MS
    return isDone()
  }
  await expect.poll(step, { intervals: [20] }).toBe(true)
  return passed
}
