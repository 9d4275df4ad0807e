import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSampleData } from '../../demo/sample-data.ts'
import { SAMPLE_HOSTS } from '../../simulator/sample-logins.ts'
import { dataFolder, MASTER, type ServerProcess, startServerProcess } from '../server-process.ts'
import { launchChromium, realAnswer, watchedPage } from './browser.ts'

let folder: Awaited<ReturnType<typeof dataFolder>>
let server: ServerProcess
let browser: Awaited<ReturnType<typeof launchChromium>>
let page: Page
let complaints: string[]

beforeAll(async () => {
  folder = await dataFolder()
  ;[server, browser] = await Promise.all([
    startServerProcess({ DATA_DIR: folder.path, ZOOM_EMULATOR_CONTROL: '1' }),
    launchChromium(),
  ])
  const { public_url: publicUrl, emulator_origin: emulatorOrigin } = server
  await addSampleData({ server: `http://127.0.0.1:${server.port}`, publicUrl, emulatorOrigin, master: MASTER })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true })
  context.setDefaultTimeout(20_000)
  ;({ page, complaints } = await watchedPage(context))
  await page.goto(`${server.host_url}/login`)
  await page.getByLabel('Username').fill(SAMPLE_HOSTS.circle.username)
  await page.getByLabel(/^Password/).fill(SAMPLE_HOSTS.circle.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/host/dashboard')
  await page.getByRole('link', { name: 'Cloud Recordings' }).click()
  await page.getByText('12 recordings').waitFor()
}, 90_000)
afterAll(async () => {
  await browser.close()
  await server.kill('SIGTERM')
  await folder.remove()
})

const first = (name: RegExp) => page.getByRole('button', { name }).first()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const names = async () => (await page.getByRole('button', { name: /^Delete .*m4a$/ }).all()).length

/** A toast says this, and makes room for the next. */
async function says(text: string) {
  const card = page.getByRole('region', { name: 'Messages' }).locator('> div').filter({ hasText: text })
  await card.getByText(text, { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Dismiss' }).click()
}

const playing = () =>
  page.evaluate(() => {
    const audio = document.querySelector('audio')
    return audio && { at: audio.currentTime, paused: audio.paused, speed: audio.playbackRate, length: audio.duration }
  })

test('a recording plays, and is moved about in by mouse and keyboard, at several speeds', async () => {
  await first(/^Play /).click()
  const player = page.getByRole('region', { name: /^Player: / })
  await expect.poll(async () => (await playing())?.at ?? 0).toBeGreaterThan(0.2)
  await player.getByRole('button', { name: 'Pause' }).click()
  expect(await playing()).toMatchObject({ paused: true, speed: 1 })

  const position = player.getByRole('slider', { name: 'Position' })
  await position.fill('5')
  await expect.poll(async () => Math.round((await playing())?.at ?? 0)).toBe(5)
  expect(await position.getAttribute('aria-valuetext')).toMatch(/^0:05 of \d+:\d\d$/)
  await player.getByRole('button', { name: 'Forward 15 seconds' }).click()
  await expect.poll(async () => Math.round((await playing())?.at ?? 0)).toBe(20)
  await player.getByRole('button', { name: 'Speed 1 times' }).click()
  expect(await playing()).toMatchObject({ speed: 1.25 })

  await page.keyboard.press('j')
  await expect.poll(async () => Math.round((await playing())?.at ?? 0)).toBe(5)
  await page.keyboard.press('k')
  await expect.poll(async () => (await playing())?.paused).toBe(false)
  await page.keyboard.press('Escape')
  await player.waitFor({ state: 'detached' })
})

test('a file is fetched with its progress shown, can be stopped, and a failure is said', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/recordings/media/**', async (route) => {
    await held
    await route.continue()
  })
  await first(/^Download /).click()
  await first(/^Stop downloading .*, 0 %$/).waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), release()])
  expect(file.suggestedFilename()).toMatch(/\.m4a$/)
  expect((await readFile(await file.path())).subarray(4, 8).toString()).toBe('ftyp')
  await first(/^Stop downloading /).waitFor({ state: 'detached' })
  await page.unroute('**/recordings/media/**')

  await page.route('**/recordings/media/**', () => {}) // no answer comes
  await first(/^Download /).click()
  await first(/^Stop downloading /).click()
  await first(/^Stop downloading /).waitFor({ state: 'detached' })
  await page.unroute('**/recordings/media/**')
  await page.route('**/recordings/media/**', (route) => route.fulfill({ status: 502, body: '' }))
  await first(/^Download /).click()
  await page.getByText(/could not be downloaded\. Please try again\.$/).waitFor()
  await page.unroute('**/recordings/media/**')
})

test('the list is narrowed to a month, and shows how much storage is used', async () => {
  await page.getByText(/^[\d.]+ of 25 GB of storage used$/).waitFor()
  const month = page.getByLabel('Month')
  const [all, latest] = await month.locator('option').allTextContents()
  expect(all).toBe('All months (12)')
  const count = Number(/\((\d+)\)/.exec(latest ?? '')?.[1])
  await month.selectOption({ index: 1 })
  await page.getByText(count === 1 ? '1 recording' : `${count} recordings`, { exact: true }).waitFor()
  expect(await names()).toBe(count)
  await month.selectOption('')
})

test('what is deleted asks first, is reported, and comes back by Undo', async () => {
  await first(/^Delete .*m4a$/).click()
  await page.getByText(/trash at Zoom, where/).waitFor()
  await button('Cancel').click()
  await first(/^Delete .*m4a$/).click()
  await button('Delete recording').click()
  await says('Moved to Trash')
  await page.getByText('11 recordings').waitFor()
  await button('Undo').click()
  await says('Taken out of the trash: 1 recording')
  await page.getByText('12 recordings').waitFor()

  // One of three is refused by Zoom.
  for (const box of (await page.getByRole('checkbox', { name: /^Select Evening/ }).all()).slice(0, 3)) await box.check()
  await page.getByText('12 recordings, 3 selected').waitFor()
  let calls = 0
  await page.route('**/recordings/meetings/*/recordings', (route) => {
    calls++
    const failure = { status: 502, contentType: 'application/json', body: '{"success":false,"message":"Zoom is busy"}' }
    return calls === 2 ? route.fulfill(failure) : route.continue()
  })
  await button('Delete selected').click()
  await button('Delete').click()
  await says('Moved to Trash 2 recording(s), 1 failed')
  await page.getByText('10 recordings').waitFor()
  await page.unroute('**/recordings/meetings/*/recordings')
  await button('Undo').click()
  await says('Taken out of the trash: 2 recordings')
  await page.getByText('12 recordings').waitFor()
})

test.each([
  [404, 'gone', 'Recording not found - it may have been already deleted'],
  [403, 'no', 'Zoom authorization failed. Please reconnect Zoom and try again.'],
  [502, 'Zoom is busy', 'Failed to delete recording: Zoom is busy'],
])('a deletion that is refused with %i says why', async (status, message, words) => {
  const body = JSON.stringify({ success: false, message })
  await page.route('**/recordings/meetings/*/recordings', (route) =>
    route.fulfill({ status, contentType: 'application/json', body }),
  )
  await first(/^Delete .*m4a$/).click()
  await button('Delete recording').click()
  await says(words)
  await page.unroute('**/recordings/meetings/*/recordings')
})

test('a list that is old, empty, without files or not there says so', async () => {
  const answer = async (change: (data: Record<string, unknown>) => object) => {
    await page.unroute('**/api/recordings?*')
    await page.route('**/api/recordings?*', async (route) => {
      const real = await realAnswer(route)
      const { data } = await real.json()
      await route.fulfill({ response: real, json: { success: true, data: { ...data, ...change(data) } } })
    })
    await button('Refresh').click()
  }
  await answer(() => ({ stale: true }))
  await page.getByText('Zoom does not answer at the moment. This is the list as Parley knew it last.').waitFor()
  await answer(() => ({
    archive: { is_full: true, waiting: 1, used_gb: 25, limit_gb: 25, message: 'The storage is full.' },
  }))
  await page.getByText('The storage is full.').waitFor()
  await answer(({ recordings }) => ({
    recordings: JSON.parse(
      JSON.stringify(recordings, (key, value) => (/^(play|download)_url$/.test(key) ? null : value)),
    ),
  }))
  await page.getByText('The storage is full.').waitFor({ state: 'detached' })
  await first(/^Play /).click()
  await says('No playable file available')
  await first(/^Download /).click()
  await says('No downloadable file available')
  await answer(() => ({ recordings: [] }))
  await page.getByText('No recordings found for your room.').waitFor()
  await page.unroute('**/api/recordings?*')

  await page.route('**/api/recordings?*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await button('Refresh').click()
  await says('Failed to refresh data')
  await page.reload()
  await page.getByText('Failed to load recordings').waitFor()
  await page.unroute('**/api/recordings?*')
  await button('Try again').click()
  await page.getByText('12 recordings').waitFor()
  expect(complaints.filter((one) => !/status of (403|404|500|502)/.test(one))).toEqual([])
})
