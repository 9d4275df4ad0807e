import type { Page } from '@playwright/test'
import { listedUser } from '../factories/listed.ts'
import { expectAccessible, expectNoSidewaysScroll } from './support/accessibility.ts'
import { pressEnter } from './support/keys.ts'
import { button } from './support/online-room.ts'
import { dock, guest, test } from './support/seat-room.ts'
import { expect } from './support/test.ts'

const GINA = 660

test('the seat is used by keyboard, in each size, at each width', async ({ page, takeSeat, joinZoom }) => {
  await takeSeat()
  await joinZoom('Gina', GINA)
  await expect(guest(page, 'Gina')).toBeVisible()
  await expectAccessible(page, 'the seat, small')
  await expectHandsClearOfDock(page)
  await pressEnter(button(dock(page), 'Make the seat large'))
  await expect(dock(page)).toHaveAttribute('data-size', 'large')
  await expectAccessible(page, 'the seat, large')
  await pressEnter(button(dock(page), 'Make the seat small'))
  await expect(dock(page)).toHaveAttribute('data-size', 'small')
  await pressEnter(button(dock(page), 'Fold the seat'))
  await expect(dock(page)).toHaveAttribute('data-size', 'line')
  await expectAccessible(page, 'the seat, folded')
  await expect(dock(page).locator('iframe')).toHaveCount(1) // folded, it stays in the meeting
  for (const press of ['Show the seat', 'Fold the seat', 'Make the seat large']) {
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, `320 px before “${press}”`)
    await pressEnter(button(dock(page), press))
    await expectNoSidewaysScroll(page, `320 px after “${press}”`)
    await expect.poll(() => dock(page).evaluate(isWithinWidth), `320 px after “${press}”`).toBe(true)
  }
  await pressEnter(button(dock(page), 'Leave the seat'))
  const question = page.getByRole('dialog', { name: 'Leave the host’s seat?' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(dock(page).getByText('You have the host’s seat')).toBeVisible()
})

test('another console says once that the seat is lost, and shows until when it saw whom', async ({
  page,
  takeSeat,
  openConsole,
  joinZoom,
}) => {
  await takeSeat()
  await joinZoom('Gina', GINA)
  const other = await openConsole()
  await expect(guest(other, 'Gina')).toContainText('Muted')
  const spoken = await recordSpoken(other)
  await page.close() // without a word
  await expect(other.getByText('Seat lost')).toBeVisible()
  await expect(guest(other, 'Gina')).toContainText(/Last seen \d\d:\d\d:\d\d/)
  await expectAccessible(other, 'a lost seat')
  const lost = (await spoken()).filter((text) => text.includes('seat is lost'))
  expect(lost).toEqual(['The host’s seat is lost. Those in Zoom only are no longer seen or muted. Coming back…'])
})

/** Expects the raised hands between the room’s bar and the seat at the end of a long page. */
async function expectHandsClearOfDock(page: Page) {
  const users = Array.from({ length: 40 }, (_, index) => listedUser(`u${index}`, { wants_to_speak: index < 20 }))
  const answer = { success: true, data: { users }, host_mute_all_active: false }
  await page.route('**/api/host/online-users', (route) => route.fulfill({ json: answer }))
  await page.setViewportSize({ width: 1440, height: 900 })
  const hands = page.getByRole('region', { name: /^Raised hands/ })
  await expect(hands.getByRole('listitem')).toHaveCount(20)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  const boxes = [page.getByRole('region', { name: 'The room now' }), hands, dock(page)]
  const edges = async () => {
    const [bar, queue, seat] = await Promise.all(boxes.map((part) => part.boundingBox()))
    return bar && queue && seat && bar.y + bar.height < queue.y && queue.y + queue.height < seat.y
  }
  await expect.poll(edges).toBe(true)
  await page.unroute('**/api/host/online-users')
}

/** Tells whether nothing of the element is beyond the window's sides, where no scrolling shows it. */
function isWithinWidth(element: Element): boolean {
  const { left, right } = element.getBoundingClientRect()
  return left >= 0 && right <= window.innerWidth
}

/** Records each text that a screen reader would read out by itself. */
async function recordSpoken(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const spoken: string[] = []
    Object.assign(window, { spoken })
    const last = new Map<Element, string>()
    new MutationObserver(() => {
      for (const element of document.querySelectorAll('[role=status], [role=alert], [aria-live=polite]')) {
        const text = element.textContent
        if (last.get(element) !== text && text !== '') spoken.push(text)
        last.set(element, text)
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { spoken: string[] }).spoken)
}
