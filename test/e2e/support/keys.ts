import type { Locator } from '@playwright/test'

/** Presses Enter on purpose: without another key before it, it may count as the second press of a double one. */
export async function pressEnter(target: Locator): Promise<void> {
  await target.press('Shift')
  await target.press('Enter')
}
