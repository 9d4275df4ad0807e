import { type BrowserContext, expect, type Page } from '@playwright/test'

declare global {
  interface Window {
    /** The texts of toasts that no test has awaited yet. */
    shownToasts: string[]
  }
}

/** Records every toast of every page: each is visible for 4 seconds, which a busy machine could miss. */
export async function recordToasts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shown: string[] = []
    window.shownToasts = shown
    const note = (node: Node) => {
      if (!(node instanceof HTMLElement) || !node.parentElement?.closest('section[aria-label$="essages"]')) return
      const message = node.querySelector('p, .mantine-Notification-description')
      if (message) shown.push(message.textContent)
    }
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) addedNodes.forEach(note)
    })
    observer.observe(document, { childList: true, subtree: true })
  })
}

/** Waits for a toast with this text and removes it from the record: the same text later is another toast. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const take = () =>
    page.evaluate((wanted) => {
      const { shownToasts } = window
      const at = shownToasts.findIndex((shown) => (typeof wanted === 'string' ? shown === wanted : wanted.test(shown)))
      return at === -1 ? shownToasts : shownToasts.splice(at, 1)
    }, text)
  await expect.poll(take).toContainEqual(typeof text === 'string' ? text : expect.stringMatching(text))
}
