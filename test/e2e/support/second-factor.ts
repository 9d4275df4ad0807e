import type { Page } from '@playwright/test'
import { totpCode } from '../../factories/second-factor.ts'
import { pressEnter } from './keys.ts'
import { expect } from './test.ts'

/** Lets the page's browser make passkeys, and show them without asking. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Sets an app up on the page Account, and returns the recovery codes that the page shows. */
export async function setUpApp(page: Page): Promise<string[]> {
  const begun = page.waitForResponse('**/api/account/totp')
  await pressEnter(page.getByRole('button', { name: 'Set up an app' }))
  const code = page.getByRole('dialog', { name: 'Set up an app' }).getByLabel('Code from your app')
  const { secret } = (await (await begun).json()).data
  await code.fill(totpCode(secret, Date.now()))
  const codes = await saveCodes(page, '**/api/account/totp/confirm', () => pressEnter(code))
  await expect(page.getByRole('button', { name: 'Remove the app' })).toBeVisible()
  return codes
}

export async function addPasskey(page: Page, name: string): Promise<void> {
  await pressEnter(page.getByRole('button', { name: 'Add passkey' }))
  const field = page.getByRole('dialog', { name: 'Add passkey' }).getByLabel('Name')
  await field.fill(name)
  await saveCodes(page, '**/api/account/passkeys', () => pressEnter(field))
  await expect(page.getByRole('button', { name: `Remove the passkey ${name}` })).toBeVisible()
}

async function saveCodes(page: Page, call: string, add: () => Promise<void>): Promise<string[]> {
  const answered = page.waitForResponse(call)
  await add()
  const { recovery_codes } = (await (await answered).json()).data
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(dialog.getByRole('listitem')).toHaveText(recovery_codes)
  await pressEnter(dialog.getByRole('button', { name: 'I have saved them' }))
  await expect(dialog).toHaveCount(0)
  return recovery_codes
}
