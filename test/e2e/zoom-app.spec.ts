import { mkdtempSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { chromiumOptions } from './support/chromium.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { microphoneArgs, SILENT_DBFS, tonesPlayed, wavOfBursts } from './support/sound.ts'
import { callSdk, receivedEvents, startStandIn } from './support/stand-in.ts'
import { expect, test } from './support/test.ts'

const WAV = join(mkdtempSync(join(tmpdir(), 'parley-sound-')), 'bursts.wav')
const HEARD_DBFS = -40
const TONES = { Gina: 500, Gus: 660, Guy: 880 } as const
type Name = keyof typeof TONES

test.use({
  launchOptions: { ...chromiumOptions, args: [...chromiumOptions.args, ...microphoneArgs(WAV)] },
  permissions: ['microphone'],
})

let demo: Awaited<ReturnType<typeof startStandIn>>
test.beforeAll(() => wavOfBursts(WAV))
test.beforeEach(async () => {
  demo = await startStandIn()
})
test.afterEach(({ browser }) => demo.close(browser))

/** Opens Zoom's own app for a person whose microphone is a tone. */
async function openApp(tab: Page, name: string, more = '') {
  const { meeting_number } = await demo.ticket(name)
  await tab.goto(`${demo.zoom.origin}/zoom/j/${meeting_number}?name=${name}${more}`)
}

async function speakAs(tab: Page, name: Name) {
  await openApp(tab, name, `&tone=${TONES[name]}&join=1`)
  await expect(tab.getByRole('button', { name: 'Mute', exact: true })).toBeVisible()
}

/** Enters by the SDK, as the phone app does, and listens only. */
async function listen(tab: Page) {
  await demo.enter(tab, 'Lea')
  await tab.getByRole('button', { name: 'Join Audio' }).click()
  await tab.getByRole('button', { name: 'Mute' }).click()
}

async function namesHeard(tab: Page) {
  const levels = await tonesPlayed(tab, Object.values(TONES))
  const names = Object.keys(TONES)
  if (levels.some((level) => level > SILENT_DBFS && level < HEARD_DBFS)) return `unclear: ${levels.join(', ')}`
  return names.filter((_name, at) => (levels[at] ?? 0) >= HEARD_DBFS).join(' ')
}
const hears = (tab: Page, names: string) => expect.poll(() => namesHeard(tab), { timeout: 10_000 }).toBe(names)

async function idOf(tab: Page, name: string) {
  const { result } = await callSdk(tab, 'getAttendeeslist')
  const list = result?.attendeesList as { userId: number; userName: string }[]
  return list.find(({ userName }) => userName === name)?.userId
}

test('three people in Zoom’s own app are told apart by ear: one is muted, one held, then all', {
  tag: '@realtime',
}, async ({ page, context }) => {
  const [listener, ...tabs] = await Promise.all(Array.from({ length: 4 }, () => context.newPage()))
  if (!listener) throw new Error('There is no listener')
  await demo.enterAsHost(page, 'Hana')
  await listen(listener)
  for (const [at, name] of (['Gina', 'Gus', 'Guy'] as const).entries()) await speakAs(tabs[at] ?? page, name)
  await hears(listener, 'Gina Gus Guy')

  await callSdk(page, 'mute', { userId: await idOf(page, 'Gus'), mute: true })
  await hears(listener, 'Gina Guy')
  await callSdk(page, 'putOnHold', { userId: await idOf(page, 'Guy'), hold: true })
  await hears(listener, 'Gina')
  await callSdk(page, 'admitAll')
  await hears(listener, 'Gina Guy')
  await callSdk(page, 'muteAll', { muteAll: true })
  await hears(listener, '')
  await tabs[0]?.getByRole('button', { name: 'Unmute' }).click()
  await hears(listener, 'Gina')
})

test('a person joins by hand, raises the hand, and may not unmute when Zoom’s own Mute All forbids it', async ({
  page,
  context,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const guest = await context.newPage()
  await demo.enterAsHost(page, 'Hana')
  await openApp(guest, 'Gina')
  await guest.getByLabel('Passcode').fill('wrong')
  await guest.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(guest.getByText('Meeting Passcode wrong.')).toBeVisible()
  await openApp(guest, 'Gina')
  await guest.getByRole('button', { name: 'Join', exact: true }).click()
  await guest.getByRole('button', { name: 'Raise Hand' }).click()
  await expect(guest.getByRole('button', { name: 'Lower Hand' })).toBeVisible()
  await expect(guest.getByText(/^Participants \(/)).toBeHidden()
  await expect
    .poll(() => receivedEvents(page, 'onUserUpdate'))
    .toContainEqual(expect.objectContaining({ userName: 'Gina', customerKey: '', raiseHand: true, audio: 'computer' }))

  await page.getByText('Participants (2)').click()
  await page.getByRole('button', { name: 'Lower Hand Gina' }).click()
  await expect(guest.getByRole('button', { name: 'Raise Hand' })).toBeVisible()
  await page.getByRole('button', { name: 'Mute All' }).click()
  await page.getByLabel('Allow participants to unmute themselves').uncheck()
  await page.getByRole('button', { name: 'Yes' }).click()
  await guest.getByRole('button', { name: 'Unmute' }).click()
  await expect(guest.getByText('The host is not allowing participants to unmute themselves')).toBeVisible()

  await page.getByRole('button', { name: 'Ask to Unmute Gina' }).click()
  await guest.getByRole('alertdialog').getByRole('button', { name: 'Unmute' }).click()
  await expect(guest.getByRole('button', { name: 'Mute', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Make Co-Host Gina' }).click()
  await expect(guest.getByText('Participants (2)')).toBeVisible()
  await page.getByRole('button', { name: 'Remove Gina' }).click()
  await expect(guest.getByText('You have been removed.')).toBeVisible()
})

test('a telephone guest is heard, shows as such, and is muted by the host', async ({ page, context }) => {
  const listener = await context.newPage()
  await demo.enterAsHost(page, 'Hana')
  await listen(listener)
  const { meeting_number, passcode } = await demo.ticket('any')
  const joined = await fetch(`${demo.zoom.origin}/zoom/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ meeting_number, passcode, user_name: '+1 555 0100', telephone: true }),
  })
  const { token } = await joined.json()
  const spoken = fetch(`${demo.zoom.origin}/sdk/participants/${token}/speech`, {
    method: 'POST',
    headers: { 'content-type': 'audio/ogg' },
    body: await readFile('simulator/speech/answer.ogg'),
  })
  await expect(listener.getByText(/Speaking: .*555 0100/)).toBeVisible()
  await expect
    .poll(() => receivedEvents(page, 'onUserUpdate'))
    .toContainEqual(expect.objectContaining({ audio: 'phone', muted: false }))
  await callSdk(page, 'mute', { userId: await idOf(page, '+1 555 0100'), mute: true })
  await expect
    .poll(() => receivedEvents(page, 'onUserUpdate'))
    .toContainEqual(expect.objectContaining({ audio: 'phone', muted: true }))
  expect((await spoken).status).toBe(200)
})
