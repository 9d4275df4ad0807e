import { readFile } from 'node:fs/promises'
import type { Page, Request, Route } from '@playwright/test'
import { FAILED_CALL } from './support/console-errors.ts'
import { download } from './support/downloads.ts'
import { storeSession } from './support/hosts.ts'
import { pressEnter } from './support/keys.ts'
import { expect, test } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'
import { addRecordings, addZoomHost } from './support/zoom-host.ts'

const MEDIA = '**/recordings/media/**'

/** Sends enough of the file to play for some seconds. */
async function sendBeginning(route: Route) {
  const file = await readFile('emulator/audio/opening.m4a')
  const part = file.subarray(0, 60_000)
  const headers = { 'content-range': `bytes 0-${part.length - 1}/${file.length}` }
  await route.fulfill({ status: 206, contentType: 'audio/mp4', headers, body: part })
}

/** Lets the page get other addresses with each list, as it does after ten minutes. */
const renewAddresses = (page: Page) =>
  page.evaluate(() => {
    const send = window.fetch
    window.fetch = async (url, init) => {
      const answer = await send(url, init)
      if (!String(url).startsWith('/api/recordings?')) return answer
      return new Response((await answer.text()).replaceAll(/kind=(play|download)/g, '$&&renewed=yes'), answer)
    }
  })

const isRenewed = (request: Request) => request.url().includes('renewed=yes')

test.beforeEach(async ({ page, server }) => {
  const host = await addZoomHost(server)
  await addRecordings(server, host, [new Date(Date.now() - 3_600_000)])
  await storeSession(page, server.host_url, host)
  await page.goto(`${server.host_url}/host/recordings`)
  await expect(page.getByText('1 recording', { exact: true })).toBeVisible()
})

test('a recording plays at several speeds, and seeks by mouse and keyboard', async ({ page }) => {
  const widthOf = async (name: RegExp) =>
    (await page.getByRole('table').getByRole('button', { name }).boundingBox())?.width
  const width = await widthOf(/^Play /)
  await page.getByRole('button', { name: /^Play / }).click()
  await expect.poll(() => widthOf(/^Pause /)).toBe(width) // else the table's columns shift
  const player = page.getByRole('region', { name: /^Player: / })
  const audio = player.locator('audio')
  const position = player.getByRole('slider', { name: 'Position' })
  const seconds = () => audio.evaluate((element: HTMLAudioElement) => Math.round(element.currentTime))

  await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(0.2)
  await player.getByRole('button', { name: 'Pause' }).click()
  await expect(audio).toHaveJSProperty('paused', true)
  await expect(audio).toHaveJSProperty('playbackRate', 1)

  await position.fill('5')
  await expect.poll(seconds).toBe(5)
  await expect(position).toHaveAttribute('aria-valuetext', /^0:05 of 0:3\d$/)
  await player.getByRole('button', { name: 'Forward 15 seconds' }).click()
  await expect.poll(seconds).toBe(20)
  await player.getByRole('button', { name: 'Speed 1 times' }).click()
  await expect(audio).toHaveJSProperty('playbackRate', 1.25)

  await page.keyboard.press('j')
  await expect.poll(seconds).toBe(5)
  await page.keyboard.press('k')
  await expect(audio).toHaveJSProperty('paused', false)
  await page
    .getByRole('table')
    .getByRole('button', { name: /^Pause / })
    .click()
  await expect(audio).toHaveJSProperty('paused', true)
  await page
    .getByRole('table')
    .getByRole('button', { name: /^Play / })
    .click()
  await expect(audio).toHaveJSProperty('paused', false)
  await player.getByRole('button', { name: 'Pause' }).press('Escape')
  await expect(player).toHaveCount(0)
})

test('a recording shows who spoke when, and its chapters lead there', async ({ page }) => {
  const [anita, ben] = ['Anita', 'Ben'].map((username) => ({
    ...{ id: crypto.randomUUID(), user_id: username, username, reference: null },
    spoke_seconds: 12,
  }))
  const speeches = [
    { id: anita?.id, from_seconds: -2, to_seconds: 10 },
    { id: ben?.id, from_seconds: 14, to_seconds: 26 },
  ]
  await page.route('**/api/host/recordings/*/speakers', (route) =>
    route.fulfill({ json: { success: true, data: { speakers: [anita, ben], speeches, has_more: false } } }),
  )
  await page.getByRole('button', { name: /^Play / }).click()
  const player = page.getByRole('region', { name: /^Player: / })
  const audio = player.locator('audio')
  const seconds = () => audio.evaluate((element: HTMLAudioElement) => Math.round(element.currentTime))
  const chapters = player.getByRole('button', { name: 'Chapters' })
  await player.getByRole('button', { name: 'Pause' }).click()
  const position = player.getByRole('slider', { name: 'Position' })
  await expect(position).toHaveAttribute('max', /^3\d$/) // the length of the sound is known
  await position.fill('5')
  await expect(player.getByText('Anita')).toBeVisible()

  await position.press('n')
  await expect.poll(seconds).toBe(14)
  await expect(player.getByText('Ben')).toBeVisible()
  await position.press('p')
  await expect.poll(seconds).toBe(0)
  await position.press('>')
  await expect(audio).toHaveJSProperty('playbackRate', 1.25)
  await position.press('<')
  await expect(audio).toHaveJSProperty('playbackRate', 1)

  await pressEnter(chapters)
  const rows = player.getByRole('listitem').getByRole('button')
  await expect(rows).toHaveText([/^0:00.*Anita.*0:10$/, /^0:14.*Ben.*0:12$/])
  await pressEnter(rows.nth(1))
  await expect.poll(seconds).toBe(14)
  await expect(rows.nth(1)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(0)
  await expect(chapters).toBeFocused()

  await player
    .locator('rect')
    .first()
    .click({ position: { x: 2, y: 4 } })
  await expect.poll(seconds).toBe(0)
})

test('a recording that waits says so, and one that breaks off goes on from its place', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const held = Promise.withResolvers<void>()
  let isBroken = true
  await page.route(MEDIA, async (route) => {
    await held.promise
    await (isBroken ? route.fulfill({ status: 502, body: '' }) : route.continue())
  })
  await page.route(MEDIA, sendBeginning, { times: 1 })
  await page.getByRole('button', { name: /^Play / }).click()
  const player = page.getByRole('region', { name: /^Player: / })
  const audio = player.locator('audio')
  const seconds = () => audio.evaluate((element: HTMLAudioElement) => element.currentTime)
  await player.getByRole('button', { name: 'Speed 1 times' }).click()
  await expect(player.getByText('Loading...')).toBeVisible()
  const place = await seconds()
  expect(place).toBeGreaterThan(5)

  held.resolve()
  const play = player.getByRole('button', { name: 'Play', exact: true })
  const expectFailure = async () => {
    await expectToastOn(page, 'This recording could not be played. Please try again.')
    await expect(play).toBeVisible()
    await expect(player.getByText('Loading...')).toHaveCount(0)
    await expect(player.getByRole('slider', { name: 'Position' })).toHaveValue(String(Math.floor(place)))
  }
  await expectFailure()
  await pressEnter(play)
  await expectFailure()
  isBroken = false
  await pressEnter(play)
  await expect.poll(seconds).toBeGreaterThan(place + 1)
  expect(await seconds()).toBeLessThan(place + 10)
  await expect(audio).toHaveJSProperty('playbackRate', 1.25)
})

test('a recording whose address has expired is downloaded by one press', async ({ page, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  await renewAddresses(page)
  await page.route(MEDIA, (route) =>
    isRenewed(route.request()) ? route.continue() : route.fulfill({ status: 403, body: '' }),
  )
  const { content } = await download(page, () => pressEnter(page.getByRole('button', { name: /^Download / })))
  expect(content.subarray(4, 8).toString()).toBe('ftyp')
})

test('a recording whose address has expired plays, and goes on from its place, by itself', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  await renewAddresses(page)
  const expire = (route: Route) =>
    isRenewed(route.request()) ? route.continue() : route.fulfill({ status: 403, body: '' })
  await page.route(MEDIA, expire)
  const renewed = page.waitForRequest(isRenewed)
  await page.getByRole('button', { name: /^Play / }).click()
  const player = page.getByRole('region', { name: /^Player: / })
  const audio = player.locator('audio')
  const seconds = () => audio.evaluate((element: HTMLAudioElement) => element.currentTime)
  await renewed
  await expect.poll(seconds).toBeGreaterThan(0.2)
  await player.getByRole('button', { name: 'Close the player' }).click()

  await page.reload()
  await renewAddresses(page)
  await page.route(MEDIA, sendBeginning, { times: 1 })
  await page.getByRole('button', { name: /^Play / }).click()
  await player.getByRole('button', { name: 'Speed 1 times' }).click()
  await expect.poll(seconds).toBeGreaterThan(9)
  expect(await page.evaluate(() => window.shownToasts)).toEqual([])
  await expect(audio).toHaveJSProperty('playbackRate', 1.25)
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
})

test('the recording that plays is deleted, and the player closes with it', async ({ page }) => {
  await page.getByRole('button', { name: /^Play / }).click()
  const player = page.getByRole('region', { name: /^Player: / })
  await expect(player.locator('audio')).toHaveJSProperty('paused', false)
  await page
    .getByRole('table')
    .getByRole('button', { name: /^Delete / })
    .click()
  await page.getByRole('button', { name: 'Delete recording' }).click()
  await expectToastOn(page, 'Moved to Trash')
  await expect(player).toHaveCount(0)
})

test('a download can be cancelled, reports a failure, and shows its progress', async ({ page, consoleErrors }) => {
  consoleErrors.allow(FAILED_CALL)
  const start = page.getByRole('button', { name: /^Download / })
  const stop = page.getByRole('button', { name: /^Stop downloading / })

  await page.route(MEDIA, () => {}, { times: 1 }) // never responds
  await pressEnter(start)
  await pressEnter(stop)
  await expect(stop).toHaveCount(0)
  await page.route(MEDIA, (route) => route.fulfill({ status: 502, body: '' }), { times: 1 })
  await pressEnter(start)
  await expectToastOn(page, /could not be downloaded\. Please try again\.$/)

  const held = Promise.withResolvers<void>()
  await page.route(MEDIA, async (route) => {
    await held.promise
    await route.continue()
  })
  await pressEnter(start)
  await expect(stop).toHaveAccessibleName(/, 0 %$/)
  const { name, content } = await download(page, async () => held.resolve())
  expect(name).toMatch(/\.m4a$/)
  expect(content.subarray(4, 8).toString()).toBe('ftyp')
  await expect(stop).toHaveCount(0)
})
