import type { Page } from '@playwright/test'
import { logInHost, logInMaster } from './support/hosts.ts'
import { button, NAMES, pressByKey } from './support/online-room.ts'
import { joinSound, meetingFrame, speak, tap, test } from './support/phone-app.ts'
import { LOUD_DBFS, levelPlayed, SILENT_DBFS } from './support/sound.ts'
import { startStopwatch } from './support/stopwatch.ts'
import { expect } from './support/test.ts'
import { expectToastOn } from './support/toasts.ts'

// Follows "Ten users online in five minutes" of docs/host-guide.md, using its steps and button names.

const HOST = { email: 'ana@studycircle.example', username: 'ana', password: 'evening-circle-7' }
const TEN = NAMES.slice(0, 10)
const SPEAKER = TEN[3]

interface Card {
  link: string
  username: string
  password: string
}

test('a host who has just installed Parley lets ten people in, and keeps order', { tag: '@realtime' }, async ({
  emptyServer: server, // first, so that it outlives the pages
  page,
  newPhone,
}) => {
  const { step } = test
  const open = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  const printSinceInstall = startStopwatch()

  await step('the master makes the host', async () => {
    await page.goto(server.master_url)
    await logInMaster(page)
    await button(page, 'Add New Host').click()
    const form = page.getByRole('dialog', { name: 'Add New Host Account' })
    await form.getByLabel('Email').fill(HOST.email)
    await form.getByLabel('Username').fill(HOST.username)
    await form.getByLabel(/^Password/).fill(HOST.password)
    const opened = page.waitForEvent('popup')
    await button(form, 'Connect Zoom').click()
    const consent = await opened
    await consent.getByRole('radio', { name: /Ana Lima/ }).check()
    const closed = consent.waitForEvent('close')
    await button(consent, 'Allow').click({ noWaitAfter: true })
    await closed
    await expect(form.getByText(/Zoom connected!/)).toBeVisible()
    await button(form, 'Add Host').click()
    await expect(form).toHaveCount(0)
  })
  const printSinceSignIn = startStopwatch()

  await step('the host signs in, and imports ten names', async () => {
    await page.goto(server.host_url)
    await logInHost(page, HOST)
    await open('Users Master')
    await button(page, 'Import').first().click()
    const dialog = page.getByRole('dialog', { name: 'Import users' })
    await dialog.getByLabel('Users').fill(TEN.join('\n'))
    await button(dialog, 'Check the list').click()
    await button(dialog, 'Add 10 users').click()
    await button(dialog, 'Done').click()
    await expect(dialog).toHaveCount(0)
  })

  const cards = await step('copies their sign-in cards', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.host_url })
    await page.getByRole('checkbox', { name: 'Select all users' }).first().check()
    await button(page.getByRole('region', { name: 'Bulk actions' }), 'Sign-in cards').click()
    const dialog = page.getByRole('dialog', { name: 'Sign-in cards for 10 users' })
    await button(dialog, 'Copy all').click()
    await expectToastOn(page, 'Credentials copied to clipboard')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    await button(dialog, 'Close').last().click()
    return copied.split('----------').map(readCard)
  })
  expect(cards.map(({ username }) => username).toSorted()).toEqual(TEN.toSorted())

  await step('starts the meeting', async () => {
    await open('Online')
    const meeting = page.getByRole('group', { name: 'Meeting' })
    const opened = page.context().waitForEvent('page')
    await button(meeting, 'Start meeting').click()
    const zoom = await opened
    await expect(zoom.getByText('The meeting is running')).toBeVisible()
    await zoom.close()
  })

  const phones = new Map<string, Page>()
  for (const card of cards) {
    await step(`${card.username} joins`, async () => {
      const phone = await (await newPhone()).newPage()
      await signInByCard(phone, card)
      await joinSound({ page: phone })
      phones.set(card.username, phone)
    })
  }

  await step('the host sees ten users in the meeting', async () => {
    await expect(page.locator('[data-user-id] [data-presence=meeting]')).toHaveCount(10)
    await expect(page.locator('[data-user-id][data-state=listening]')).toHaveCount(10)
  })
  printSinceSignIn('Ten users in the meeting, from the sign-in of the host')
  printSinceInstall('Ten users in the meeting, from an empty installation')

  await step('mutes all, lets one speak, and mutes all again', async () => {
    const [speaker, listener] = [SPEAKER, TEN[7]].map((name) => phones.get(name ?? ''))
    if (!SPEAKER || !speaker || !listener) throw new Error('Someone is missing')
    const tile = page.locator('[data-user-id]').filter({ hasText: SPEAKER })
    await button(page, 'Mute All').click()
    await expect(page.getByText('All 10 phones acknowledged')).toBeVisible()
    await pressByKey(page, `Unmute ${SPEAKER}`)
    await expect(tile).toContainText('Asked to speak')
    await speak({ page: speaker })
    await expect(tile).toHaveAttribute('data-state', 'speaking')
    await expect.poll(() => levelPlayed(meetingFrame(listener))).toBeGreaterThan(LOUD_DBFS)
    await button(page, 'Mute All').click()
    await expect(page.locator('[data-user-id][data-state=muted]')).toHaveCount(10)
    await expect.poll(() => levelPlayed(meetingFrame(listener))).toBeLessThan(SILENT_DBFS)
  })
})

/** Follows the card: its link, then its two lines. */
async function signInByCard(page: Page, { link, username, password }: Card): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await tap(page, 'Sign in').press('Enter') // a click on Join, in the same place, follows
  await expect(tap(page, 'Join')).toBeVisible()
}

function readCard(text: string): Card {
  const line = (pattern: RegExp) => pattern.exec(text)?.[1] ?? ''
  return { link: line(/(https?:\S+)/), username: line(/^Username: (.+)$/m), password: line(/^Password: (.+)$/m) }
}
