import { expect, type Locator } from '@playwright/test'

/** The element is visible without scrolling, and nothing covers it. */
export async function expectInSight(locator: Locator, what: string): Promise<void> {
  await expect.poll(() => locator.evaluate(hiddenPart), what).toBe('nothing')
}

/** Returns the part of the element that a finger would miss. */
function hiddenPart(element: Element): string {
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
  if (width === 0 || height === 0) return 'all'
  if (top < 0 || left < 0 || bottom > window.innerHeight + 1 || right > window.innerWidth + 1)
    return `off the screen: ${Math.round(top)} to ${Math.round(bottom)} of ${window.innerHeight}`
  const points = [0.1, 0.5, 0.9].map((share) => top + height * share)
  const covered = points.find((y) => {
    const hit = document.elementFromPoint(left + width / 2, y)
    return hit === null || !(element.contains(hit) || hit.contains(element))
  })
  return covered === undefined ? 'nothing' : `covered at ${Math.round(covered)}`
}
