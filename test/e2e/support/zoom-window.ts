import type { Page } from '@playwright/test'

/** Presses the button of the open form, and returns the window that opens for Zoom. */
export async function openZoomWindow(page: Page, button = 'Connect Zoom'): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
  return opened
}

/** Chooses the account with this email, presses the button, and waits until the window has closed itself. */
export async function answerZoom(popup: Page, email: string, button: 'Allow' | 'Deny') {
  await popup.getByRole('radio', { name: /another account/ }).check()
  await popup.getByLabel('Email of the other account').fill(email)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: button }).click({ noWaitAfter: true })
  await closed
}
