import { expect, type Page } from '@playwright/test'

/** Waits for a toast with this text and removes it from the record: the same text later is another toast. */
export async function expectToastOn(page: Page, text: string | RegExp): Promise<void> {
  const take = () =>
    page.evaluate((wanted) => {
      const { shownToasts } = window
      const at = shownToasts.findIndex((shown) => (typeof wanted === 'string' ? shown === wanted : wanted.test(shown)))
      return at === -1 ? shownToasts : shownToasts.splice(at, 1)
    }, text)
  await expect.poll(take).toContainEqual(typeof text === 'string' ? text : expect.stringMatching(text))
}
