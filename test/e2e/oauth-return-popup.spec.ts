import type { Page } from '@playwright/test'
import { storedSession } from './support/hosts.ts'
import { expect, test } from './support/test.ts'

test('the return page in a popup reports to its opener, and closes', async ({ page, server }) => {
  await page.goto(`${server.master_url}/support`)
  await recordMessages(page)
  const by = { by: 'window', origin: server.master_url }

  await openAndAwaitClose(page, '/oauth-success?oauth_result=r1&user_email=a@b.co&status=success')
  const success = {
    type: 'ZOOM_OAUTH_SUCCESS',
    data: { status: 'integrated', oauth_result_id: 'r1', user_email: 'a@b.co' },
  }
  await expect.poll(() => messages(page)).toEqual([{ ...by, data: success }])

  await openAndAwaitClose(page, '/oauth-error?error=access_denied&popup=true')
  const failure = {
    type: 'ZOOM_OAUTH_ERROR',
    data: {
      error: 'access_denied',
      error_message: 'Zoom access was denied. Please try again and ensure you grant the necessary permissions.',
    },
  }
  await expect
    .poll(() => messages(page))
    .toEqual([
      { ...by, data: success },
      { ...by, data: failure },
    ])
})

test('a popup that has lost its opener broadcasts its report, and closes', async ({ page, server }) => {
  await page.goto(`${server.master_url}/support`)
  await recordMessages(page)
  await openAndAwaitClose(page, '/oauth-success?oauth_result=r1&popup=true', 'popup,noopener')
  const data = { type: 'ZOOM_OAUTH_SUCCESS', data: { status: 'integrated', oauth_result_id: 'r1' } }
  await expect.poll(() => messages(page)).toEqual([{ by: 'broadcast', data }])
})

test('a page of another origin that opens the return page receives nothing', async ({ page, server }) => {
  await page.goto(`${server.public_url}/support`)
  await recordMessages(page)
  await openAndAwaitClose(page, `${server.host_url}/oauth-success?oauth_result=r1&popup=true`)
  await page.evaluate(() => window.postMessage('the last', window.location.origin))
  await expect.poll(() => messages(page)).toEqual([{ by: 'window', origin: server.public_url, data: 'the last' }])
})

test('the popup drops its copy of the session before it reports, and the opener keeps its own', async ({
  masterPage: page,
  server,
}) => {
  await page.goto(`${server.master_url}/support`)
  await page.context().addInitScript(() => {
    window.addEventListener('DOMContentLoaded', () => {
      Object.assign(window, { keptAtStart: sessionStorage.getItem('parley.session') })
    })
    window.close = () => {}
  })
  const popup = await openReturnPage(page, '/oauth-success?oauth_result=r1&popup=true')
  await expect(popup.getByText('Zoom connected! You can now continue.')).toBeVisible()
  expect(await popup.evaluate(() => Reflect.get(window, 'keptAtStart'))).toBeNull()
  expect(await storedSession(popup)).toEqual({})
  expect(Object.keys(await storedSession(page))).toEqual(['parley.session'])
})

/** Records the messages that the page receives, like a form that waits for Zoom. */
async function recordMessages(page: Page): Promise<void> {
  await page.evaluate(() => {
    const messages: unknown[] = []
    Object.assign(window, { messages })
    window.addEventListener('message', ({ data, origin }) => messages.push({ by: 'window', origin, data }))
    new BroadcastChannel('parley-oauth').onmessage = ({ data }) => messages.push({ by: 'broadcast', data })
  })
}

function messages(page: Page): Promise<unknown[]> {
  return page.evaluate(() => Reflect.get(window, 'messages'))
}

/** Opens the page the way a form opens Zoom's window. */
async function openReturnPage(page: Page, address: string, features = 'popup'): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.evaluate(([url, how]) => void window.open(url, 'zoom_oauth', how), [address, features])
  return opened
}

async function openAndAwaitClose(page: Page, address: string, features?: string): Promise<void> {
  const popup = await openReturnPage(page, address, features)
  await expect.poll(() => popup.isClosed()).toBe(true)
}
