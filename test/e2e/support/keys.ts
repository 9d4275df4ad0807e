import { expect, type Locator } from '@playwright/test'

/**
 * Presses Enter on purpose, once the target can be pressed: without another key before it, it may count as the second
 * press of a double one.
 */
export async function pressEnter(target: Locator): Promise<void> {
  await expect(target).toBeEnabled()
  await target.press('Shift')
  await target.press('Enter')
}
