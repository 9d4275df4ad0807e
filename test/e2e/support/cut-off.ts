import type { Page } from '@playwright/test'

/** The next call of the page to this address gets no answer. */
export async function cutOffOnce(page: Page, path: string) {
  await page.route(`**/api${path}`, (route) => route.abort(), { times: 1 })
}
