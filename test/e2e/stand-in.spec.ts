import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { chromiumOptions } from './support/chromium.ts'
import { LOUD, levelPlayed, microphoneArgs, SILENT, wavOfBursts } from './support/sound.ts'
import { ask, heard, startStandIn } from './support/stand-in.ts'
import { expect, test } from './support/test.ts'

const WAV = join(mkdtempSync(join(tmpdir(), 'parley-sound-')), 'bursts.wav')

test.use({
  launchOptions: { ...chromiumOptions, args: [...chromiumOptions.args, ...microphoneArgs(WAV)] },
  permissions: ['microphone'],
})

let demo: Awaited<ReturnType<typeof startStandIn>>
test.beforeAll(() => wavOfBursts(WAV))
test.beforeEach(async () => {
  demo = await startStandIn()
})
test.afterEach(() => demo.close())

async function joinAudio(tab: Page) {
  await tab.getByRole('button', { name: 'Join Audio' }).click()
  await expect(tab.getByRole('button', { name: 'Mute' })).toBeVisible()
}

async function self(tab: Page) {
  const { result } = await ask(tab, 'getCurrentUser')
  return result?.currentUser as { userId: number; muted: boolean; audio: string }
}

const hears = (tab: Page) => expect.poll(() => levelPlayed(tab)).toBeGreaterThan(LOUD)
const hearsNothing = (tab: Page) => expect.poll(() => levelPlayed(tab)).toBeLessThan(SILENT)

test('one page speaks, another hears it until it mutes; the panel has a button of its own', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  await demo.enter(page, 'Ana')
  await demo.enter(other, 'Ben')
  expect(await self(page)).toMatchObject({ audio: '', muted: false })
  await joinAudio(page)
  await joinAudio(other)
  const { userId } = await self(other)
  await ask(other, 'mute', { userId, mute: true })

  await hears(other)
  await expect(other.getByText('Speaking: Ana')).toBeVisible()
  await hearsNothing(page)

  const ana = await self(page)
  expect(await ask(page, 'mute', { userId: ana.userId, mute: true })).toMatchObject({ status: true, errorCode: 0 })
  await hearsNothing(other)
  await expect
    .poll(() => heard(other, 'onUserUpdate'))
    .toContainEqual(expect.objectContaining({ userName: 'Ana', muted: true }))

  await page.getByRole('button', { name: 'Unmute' }).click()
  await hears(other)
  await expect
    .poll(() => heard(page, 'onUserUpdate'))
    .toContainEqual(expect.objectContaining({ self: true, muted: false }))
})

test('the host ends the meeting: nothing is heard any more, and the page is told why', async ({ page, context }) => {
  const other = await context.newPage()
  await demo.enter(page, 'Ana')
  await demo.enter(other, 'Ben')
  await joinAudio(page)
  await joinAudio(other)
  await hears(other)
  await demo.happens('/end')
  await expect.poll(() => heard(other, 'onUserLeave')).toEqual([{ reasonCode: 1 }])
  await expect.poll(async () => (await heard(other, 'onMeetingStatus')).at(-1)).toMatchObject({ meetingStatus: 3 })
  await hearsNothing(other)
  await expect(other.getByText('This meeting has ended.')).toBeVisible()
})

test('the panel is accessible, also on a narrow phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await demo.enter(page, 'Ana')
  await demo.happens('/recording', { action: 'start' })
  await expect(page.getByText('This meeting is being recorded')).toBeVisible()
  await page.evaluate(axe.source)
  const violations = () =>
    page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id }) => id))`)
  expect(await violations()).toEqual([])
  await joinAudio(page)
  expect(await violations()).toEqual([])
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(overflow).toBe(0)
})
