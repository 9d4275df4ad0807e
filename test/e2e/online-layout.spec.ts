import type { Page } from '@playwright/test'
import type { RoomUser } from '../../shared/room-users.ts'
import { buildAttendee, buildSeat } from '../factories/attendees.ts'
import { listedUser } from '../factories/listed.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { BAR_LINES_BY_WIDTH, expectStableBar, fillBar, LONG_NAMES } from './support/online-bar.ts'
import { button, test } from './support/online-room.ts'
import { expect } from './support/test.ts'
import { addZoomHost } from './support/zoom-host.ts'

const ARABIC = 'محمد عبد الرحمن بن خالد بن سعود بن فيصل الخطيب'
const NAMES = [ARABIC, 'Amina Yusuf', 'שרה כהן־לוי', '王小明', 'अमित कुमार शर्मा', '🎺 Brass', 'M'.repeat(60)]
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]
const bar = (page: Page) => page.getByRole('region', { name: 'The room now' })

const chooseDensity = (page: Page, density: string) => page.locator('label').filter({ hasText: density }).click()

/** Opens a room of five hundred users who are offline: this only tests the page. */
async function openLargeRoom(page: Page, openOnline: (page: Page) => Promise<Page>, names: readonly string[] = NAMES) {
  const users = Array.from({ length: 500 }, (_, index) =>
    listedUser(`u${index}`, {
      username: `${names[index % names.length]} ${index}`,
      reference: index % 2 ? 'Alto' : ARABIC,
      is_muted: index % 3 > 0,
      is_speaking: index < 6,
      wants_to_speak: index % 50 === 8,
    }),
  )
  const answer = (list: RoomUser[]) => ({ success: true, data: { users: list }, host_mute_all_active: false })
  let list = users
  await page.route('**/api/host/online-users', (route) => route.fulfill({ json: answer(list) }))
  await openOnline(page)
  return {
    speak: (ids: readonly string[]) => {
      list = users.map((user) => ({ ...user, is_speaking: ids.includes(user.id) }))
    },
  }
}

test('the bar stays in sight, nothing scrolls sideways, and a screen holds 40 to 60 compact tiles', async ({
  page,
  openOnline,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await openLargeRoom(page, openOnline)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const density of ['Comfortable', 'Compact', 'List']) {
      await chooseDensity(page, density)
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2))
      if (density === 'Compact' && size.width === 1440) {
        await expect.poll(() => tilesInSight(page)).toBeGreaterThanOrEqual(40)
        expect(await tilesInSight(page)).toBeLessThanOrEqual(60)
      }
      await expect(button(page, 'Mute All')).toBeInViewport({ ratio: 1 })
      await expect(bar(page).getByRole('button', { name: /more speakers$/ })).toBeInViewport({ ratio: 1 })
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      await page.evaluate(() => window.scrollTo(0, 0))
    }
  }
})

const tilesInSight = async (page: Page) => {
  const barBox = await bar(page).boundingBox()
  return page.locator('[data-user-id]').evaluateAll(
    (tiles, top) =>
      tiles.filter((tile) => {
        const box = tile.getBoundingClientRect()
        return box.top >= top && box.bottom <= window.innerHeight
      }).length,
    (barBox?.y ?? 0) + (barBox?.height ?? 0),
  )
}

test.describe('in a room with Zoom', () => {
  test.use({ host: async ({ server }, use) => use(await addZoomHost(server)) })

  test('the bar is one calm block at each usual width, and a phone shows all words of guests', async ({
    page,
    server,
    host,
    openOnline,
  }) => {
    await fillBar(server, host)
    await openOnline()
    for (const bar of BAR_LINES_BY_WIDTH) {
      await page.setViewportSize({ width: bar.width, height: 900 })
      await expectStableBar((script) => page.evaluate(script), bar)
    }
    const guests = [buildAttendee({ audio: 'phone', is_allowed: true }), buildAttendee({ audio: 'phone' })]
    const data = { seat: buildSeat(), epoch: 1, attendees: guests, speaking: [], others: 0 }
    await page.route('**/api/host/attendees', (route) => route.fulfill({ json: { success: true, data } }))
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    const words = page.locator('[data-guest]').getByText(/^Microphone on, Telephone/)
    await expect(words).toHaveText(['Microphone on, Telephone, May speak', 'Microphone on, Telephone'])
    expect(await words.evaluateAll(isEachWhole)).toBe(true)
  })
})

test('speakers and the stream come and go without a change of height, and the list shows long names in full', async ({
  page,
  openOnline,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const room = await openLargeRoom(page, openOnline, LONG_NAMES)
  const heightOf = async () => (await bar(page).boundingBox())?.height
  const speakers = bar(page).getByRole('list', { name: 'Speaking now' }).getByRole('listitem')
  for (const { width } of BAR_LINES_BY_WIDTH) {
    await page.setViewportSize({ width, height: 900 })
    const heights = new Set<number | undefined>()
    for (const count of [1, 2, 3]) {
      room.speak(['u0', 'u1', 'u2'].slice(0, count))
      await expect(speakers).toHaveCount(count)
      heights.add(await heightOf())
    }
    expect(heights.size).toBe(1)
  }
  await page.setViewportSize({ width: 1024, height: 900 })
  const height = await heightOf()
  await page.route('**/mobile/sse-session', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('Connecting…')).toBeVisible()
  await expect.poll(heightOf).toBe(height)

  await page.setViewportSize({ width: 1440, height: 900 })
  await chooseDensity(page, 'List')
  const names = page.locator('[data-user-id] [data-column="name"] bdi')
  await expect.poll(() => names.evaluateAll(isEachWhole)).toBe(true)
})

const isEachWhole = (names: Element[]) =>
  names.length > 0 &&
  names.every((name) => name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight)

test('no tile and no button moves when speakers come and go, or a filter is chosen', async ({
  page,
  openOnline,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await page.setViewportSize({ width: 1440, height: 900 })
  const room = await openLargeRoom(page, openOnline)
  const first = page.locator('[data-user-id]').first()
  const density = page.getByRole('radiogroup', { name: 'Size of the tiles' })
  const mute = bar(page)
    .getByRole('button', { name: /^Mute / })
    .nth(1) // the first speaker's
  const before = await first.boundingBox()
  const muteBefore = await mute.boundingBox()
  room.speak([])
  await expect(page.getByText('No one is speaking')).toBeVisible()
  expect(await first.boundingBox()).toEqual(before)
  room.speak(['u0'])
  await expect(bar(page).getByRole('listitem')).toHaveCount(1)
  expect(await mute.boundingBox()).toEqual(muteBefore)
  room.speak(Array.from({ length: 40 }, (_, index) => `u${index}`))
  await expect(bar(page).getByRole('button', { name: /more speakers$/ })).toBeVisible()
  expect(await mute.boundingBox()).toEqual(muteBefore)
  expect(await first.boundingBox()).toEqual(before)
  const densityBefore = await density.boundingBox()
  await bar(page)
    .getByRole('button', { name: /^Muted/ })
    .click()
  await expect(button(page, 'Show all')).toBeVisible()
  expect(await density.boundingBox()).toEqual(densityBefore)
  expect(await first.boundingBox()).toEqual(before)
})
