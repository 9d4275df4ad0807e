import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** Covers each scheme and each width once. The last leaves the page in its initial scheme. */
export const PHONE = { colorScheme: 'dark', width: 360, height: 780 } as const
export const DESKTOP = { colorScheme: 'light', width: 1440, height: 900 } as const
type Look = typeof PHONE | typeof DESKTOP

export async function setAppearance(page: Page, { colorScheme, width, height }: Look): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
}

/** Checks the current page in both schemes and widths: it breaks no rule of axe and does not scroll sideways. */
export async function expectAccessible(page: Page, name: string, looks: readonly Look[] = [PHONE, DESKTOP]) {
  for (const shown of looks) {
    const { colorScheme, width } = shown
    await setAppearance(page, shown)
    const look = `${name} in ${colorScheme} at ${width} px`
    await expect.poll(() => runningAnimations(page), { message: `${look} comes to rest`, intervals: [20] }).toBe(0)
    await expect.poll(() => axeViolations(page), look).toEqual([])
    await expectNoSidewaysScroll(page, look)
  }
}

/** Returns the rules that are broken, and where. Loads axe once into each document, since it is large. */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`)
}

export async function expectNoSidewaysScroll(page: Page, what: string): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow, `${what} scrolls sideways`).toBe(0)
}

/** Counts animations that end, unlike a spinner's. */
function runningAnimations(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
        ).length,
  )
}
