import { totpCode } from '../factories/second-factor.ts'
import { expectAccessible } from './support/accessibility.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { pressEnter } from './support/keys.ts'
import { pressByKey } from './support/online-room.ts'
import { addAuthenticator } from './support/second-factor.ts'
import { expect, test } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'

test('a host sets an app up, and signs in with its code, by keyboard alone', async ({
  hostPage: page,
  host,
  server,
  newContext,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.goto(`${server.host_url}/host/account`)
  const begun = page.waitForResponse('**/api/account/totp')
  await pressEnter(page.getByRole('button', { name: 'Set up an app' }))
  const dialog = page.getByRole('dialog', { name: 'Set up an app' })
  const code = dialog.getByLabel('Code from your app')
  await expect(code).toBeFocused()
  const { secret } = (await (await begun).json()).data
  await expect(dialog.getByText(secret.replaceAll(/(.{4})(?=.)/g, '$1 '))).toBeVisible()
  await expectAccessible(page, 'the set-up of an app')
  const setUpAt = Date.now()
  await code.fill(totpCode(secret, setUpAt))
  const on = page.waitForResponse('**/api/account/totp/confirm')
  await pressEnter(code)
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await expectAccessible(page, 'the recovery codes')
  const [recovery] = (await (await on).json()).data.recovery_codes
  await expect(codes.getByRole('listitem').first()).toHaveText(recovery)
  await pressEnter(codes.getByRole('button', { name: 'I have saved them' }))
  await expect(page.getByText(/^10 codes are left/)).toBeVisible()
  await expectAccessible(page, 'the account with an app')

  for (const field of ['Code from your app', 'Recovery code'] as const) {
    const other = await (await newContext()).newPage()
    await other.goto(`${server.host_url}/login`)
    await other.getByLabel('Username').fill(host.username)
    await other.getByLabel('Password', { exact: true }).fill(host.password)
    await pressEnter(other.getByLabel('Password', { exact: true }))
    await expect(other.getByRole('heading', { name: 'Second step' })).toBeVisible()
    await expect(other.getByLabel('Code from your app')).toBeFocused()
    await expectAccessible(other, `the second step, ${field}`)
    if (field === 'Recovery code') await pressEnter(other.getByRole('button', { name: 'Use a recovery code' }))
    await expect(other.getByLabel(field)).toBeFocused()
    await other
      .getByLabel(field)
      .fill(field === 'Recovery code' ? recovery : totpCode(secret, Math.max(Date.now(), setUpAt + 30_000)))
    await pressEnter(other.getByLabel(field))
    await expect(other.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  }
})

test('a host adds a passkey, and signs in with it, by keyboard alone', async ({
  hostPage: page,
  host,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await addAuthenticator(page)
  await page.goto(`${server.host_url}/host/account`)
  await pressEnter(page.getByRole('button', { name: 'Add passkey' }))
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expectAccessible(page, 'the name of a passkey')
  await dialog.getByLabel('Name').fill('Laptop')
  await pressEnter(dialog.getByLabel('Name'))
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await pressEnter(codes.getByRole('button', { name: 'I have saved them' }))
  await expect(page.getByRole('button', { name: 'Remove the passkey Laptop' })).toBeVisible()
  await expectAccessible(page, 'the account with a passkey')

  await pressEnter(page.getByRole('button', { name: 'Log out' }).first())
  await page.getByLabel('Username').fill(host.username)
  await page.getByLabel('Password', { exact: true }).fill(host.password)
  await pressEnter(page.getByLabel('Password', { exact: true }))
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  await expectAccessible(page, 'the second step with a passkey')
  await expect(page.getByRole('button', { name: 'Use a recovery code' })).toBeVisible()
  await pressEnter(page.getByRole('button', { name: 'Use passkey' }))
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/Login|Second step/)
  await expect(page.getByRole('button', { name: 'Log out' }).first()).toBeVisible()
})

test('a passkey whose answer is lost is added, and its host makes recovery codes that it sees', async ({
  hostPage: page,
  server,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await addAuthenticator(page)
  await page.goto(`${server.host_url}/host/account`)
  await page.evaluate(() => {
    const send = window.fetch
    window.fetch = async (url, init) => {
      const answer = await send(url, init)
      if (url !== '/api/account/passkeys') return answer
      window.fetch = send
      throw new TypeError('Failed to fetch') // as where the network breaks off
    }
  })
  await pressEnter(page.getByRole('button', { name: 'Add passkey' }))
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await dialog.getByLabel('Name').fill('Laptop')
  await pressEnter(dialog.getByLabel('Name'))
  await expectToastOn(page, 'The passkey is added, but its recovery codes could not be shown. Make new codes now.')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Remove the passkey Laptop' })).toBeVisible()
  await pressEnter(page.getByRole('button', { name: 'New codes' }))
  await pressByKey(page.getByRole('dialog'), 'Make new codes')
  await expect(page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
})
