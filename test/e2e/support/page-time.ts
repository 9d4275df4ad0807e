import { expect, type Page } from '@playwright/test'

const STEP_MS = 250

/** From now on no time passes in the page and its popups, save for what a test lets pass. */
export async function stopTime({ clock }: Page): Promise<void> {
  await clock.install()
  await clock.pauseAt(Date.now() + 3_600_000)
}

/** Lets time pass in the page until that; gives how many milliseconds it took. */
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
