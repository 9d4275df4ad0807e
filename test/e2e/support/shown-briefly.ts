import { expect, type Locator, type Page } from '@playwright/test'

const AHEAD_MS = 60_000
const STEP_MS = 20

/**
 * Does something, and waits for what the page then shows for a few seconds only, such as a toast. Its clock, which is
 * to be installed before the page is opened, moves so little between two looks that a busy machine misses nothing.
 */
export async function expectShownBriefly(page: Page, shown: Locator, act: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + AHEAD_MS)
  await act()
  await expect
    .poll(async () => {
      await page.clock.runFor(STEP_MS)
      return shown.isVisible()
    })
    .toBe(true)
  await page.clock.resume()
}
