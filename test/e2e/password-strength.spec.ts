import type { Page } from '@playwright/test'
import { http, type ServerProcess } from '../servers/server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import type { ConsoleSession, TestHost } from './support/hosts.ts'
import { pressEnter } from './support/keys.ts'
import { expect, test } from './support/test.ts'

const DICTIONARY = '**/assets/rate-password-*.js'
const NEW = 'seven green kettles'

test('a link that sets a password rates it, once it is typed, and nothing on the page moves', async ({
  page,
  server,
  host,
  master,
}) => {
  let hasLoaded = false
  let letThrough = () => {}
  const released = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route(DICTIONARY, async (route) => {
    hasLoaded = true
    await released
    await route.continue()
  })
  await openResetLink(page, server, host, master)
  const password = page.getByLabel('New password')
  const button = page.getByRole('button', { name: 'Set password' })
  await expect(password).toBeFocused()
  const before = await button.boundingBox()
  expect(hasLoaded).toBe(false)

  const asked = page.waitForRequest(DICTIONARY)
  await page.keyboard.type('kettles1')
  await asked
  const strength = page.getByRole('status').filter({ hasText: 'Password strength' })
  await expect(strength).toHaveCount(0)
  letThrough()
  await expect(strength).toHaveText('Password strength: Weak')
  await password.fill(NEW)
  await expect(strength).toHaveText('Password strength: Strong')
  expect(await button.boundingBox()).toEqual(before)
})

test('where the dictionary does not load, no rating is shown, and the password can be set', async ({
  page,
  server,
  host,
  master,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.route(DICTIONARY, (route) => route.abort())
  await openResetLink(page, server, host, master)
  const failed = page.waitForEvent('requestfailed')
  await page.getByLabel('New password').fill(NEW)
  await failed
  await expect(page.getByText('At least 8 characters')).toBeVisible()
  await pressEnter(page.getByLabel('New password'))
  await expect(page.getByRole('heading', { name: 'Host Login' })).toBeVisible()
  await expect(page.getByText('Password strength')).toHaveCount(0)
})

async function openResetLink(page: Page, server: ServerProcess, { id }: TestHost, { token }: ConsoleSession) {
  const made = await http(server, 'POST', `/admin/hosts/${id}/reset-link`, { token, body: {} })
  await page.goto(made.body.data.url)
  await expect(page.getByRole('heading', { name: 'Set your password' })).toBeVisible()
}
