import { expect, type Page } from '@playwright/test'

const STEP_MS = 250

/** Freezes time in the page and its popups; only the test advances it. */
export async function stopTime({ clock }: Page): Promise<void> {
  await clock.install()
  await clock.pauseAt(Date.now() + 3_600_000)
}

/** Advances time in the page until the condition holds; returns the milliseconds it took. */
export async function passTimeUntil({ clock }: Page, isDone: () => boolean): Promise<number> {
  let passed = 0
  const step = async () => {
    if (isDone()) return true
    await clock.runFor(STEP_MS)
    passed += STEP_MS
    return isDone()
  }
  await expect.poll(step, { intervals: [20] }).toBe(true)
  return passed
}
