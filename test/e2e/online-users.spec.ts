import type { Page } from '@playwright/test'
import { FAILED_CALL } from './support/console-errors.ts'
import {
  button,
  choose,
  collectActs,
  expectPhone,
  expectState,
  press,
  pressKey,
  queue,
  test,
  tile,
} from './support/online-room.ts'
import { expect } from './support/test.ts'
import { expectToast } from './support/toasts.ts'

test('a speaking user has a red tile, and can be muted in Active Users', async ({ room, openOnline }) => {
  const amina = await room.join('Amina Yusuf')
  await room.join('Ben Carter')
  const page = await openOnline()
  await expect(page.locator('dt:has-text("Currently Online") + dd')).toHaveText('2')

  await amina.phone.speak()
  await expectState(page, amina, 'speaking')
  await expect(tile(page, amina)).toHaveAttribute('data-colour', 'red')
  await press(page, 'Mute Amina Yusuf')
  await expectState(page, amina, 'muted', { is_muted: true, is_speaking: false })
  await expect(page.getByText('No one is speaking')).toBeVisible()
})

test('a click on a muted tile unmutes that person, and reports if another console was quicker', async ({
  page,
  room,
  openOnline,
  consoleErrors,
}) => {
  const chen = await room.join('Chen Wei')
  await room.act(chen, 'mute')
  await page.clock.install()
  await openOnline()
  await expectState(page, chen, 'muted')
  await page.clock.fastForward(300) // a click on a tile that has only just come is ignored
  await button(page, 'Unmute Chen Wei').click()
  await expectState(page, chen, 'listening', { is_muted: false })

  await room.act(chen, 'mute')
  await expectState(page, chen, 'muted', { is_muted: true })
  consoleErrors.allow(FAILED_CALL)
  await page.route('**/unmute', async (route) => {
    await room.act(chen, 'unmute')
    await route.continue()
  })
  await press(page, 'Unmute Chen Wei')
  await expect(page.getByText('Chen Wei has changed: no longer muted')).toBeVisible()
  await expectState(page, chen, 'listening', { is_muted: false })
})

test('the menu of a tile mutes and unmutes, copies credentials, shows details and logs out', async ({
  context,
  room,
  openOnline,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  const page = await openOnline()

  await choose(page, ben, 'Mute')
  await expectState(page, ben, 'muted', { is_muted: true })
  await choose(page, ben, 'Unmute')
  await expectState(page, ben, 'listening', { is_muted: false })

  await choose(page, ben, 'Copy credentials')
  await expectToast(page, 'Credentials copied to clipboard')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Ben Carter')

  await choose(page, ben, 'Details')
  const details = page.getByRole('dialog', { name: 'Ben Carter' })
  await expect(details.getByText('U000002')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details).toHaveCount(0)

  await choose(page, ben, 'Log out')
  await expect(page.getByText('Ben Carter logged out')).toBeVisible()
  await expect(tile(page, ben)).toHaveCount(0)
  await expectPhone(ben, { ended: 'logout' })
})

test('a person is stopped only after a confirmation', async ({ page, room, openOnline }) => {
  const dina = await room.join('Dina Popescu')
  const acts = collectActs(page)
  await openOnline()
  const question = page.getByRole('dialog', { name: 'Stop Dina Popescu?' })

  await choose(page, dina, 'Stop')
  await button(question, 'Cancel').click()
  await expect(question).toHaveCount(0)
  await choose(page, dina, 'Stop')
  await button(question, 'Stop user').click()
  await expect(page.getByText('Dina Popescu stopped')).toBeVisible()
  await expectPhone(dina, { ended: 'deactivated' })
  expect(acts).toEqual([`users/${dina.id}/deactivate`])
})

test('raised hands are queued and announced, and can be allowed, lowered or called in turn', async ({
  room,
  openOnline,
}) => {
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  const chen = await room.join('Chen Wei')
  const dina = await room.join('Dina Popescu')
  await room.muteAll()
  const page = await openOnline()
  const announced = announcement(page, 'to speak.')

  for (const { phone } of [dina, ben, chen, amina]) await phone.raiseHand()
  await expect(queue(page)).toHaveText([
    /^1Dina Popescuwaiting \d:\d\d/,
    /^2Ben Carterwaiting \d:\d\d/,
    /^3Chen Weiwaiting \d:\d\d/,
    /^4Amina Yusufwaiting \d:\d\d/,
  ])
  expect(await announced).toMatch(/wants? to speak\.$/)

  await press(page, 'Allow Dina Popescu')
  await expectPhone(dina, { is_muted: false, wants_to_speak: false })
  await expect(queue(page)).toHaveText([/Ben Carter/, /Chen Wei/, /Amina Yusuf/])
  await press(page, 'Lower the hand of Ben Carter')
  await expectPhone(ben, { is_muted: true, wants_to_speak: false })
  await expect(queue(page)).toHaveText([/Chen Wei/, /Amina Yusuf/])
  await expectState(page, dina, 'listening')
  await button(page, 'Next').click() // takes the floor from the one who has it
  await expectPhone(chen, { is_muted: false, wants_to_speak: false })
  await expectPhone(dina, { is_muted: true })
  await expect(queue(page)).toHaveText([/Amina Yusuf/])
})

test('a phone that does not answer is marked wherever it shows as online, until it answers', async ({
  page,
  room,
  openOnline,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  await amina.phone.raiseHand()
  await openOnline()
  await expectState(page, amina, 'wants-to-speak')
  await page.route('**/api/host/online-users', (route) => route.abort()) // only the stream tells now
  const announced = announcement(page, 'is not answering.')
  await room.sleep(amina)
  await expect(tile(page, amina)).toContainText('Not answering, Wants to speak')
  await expect(queue(page)).toHaveText([/Amina Yusufnot answering, \d:\d\d/])
  await expect(page.locator('dt:has-text("Not answering") + dd')).toHaveText('1')
  expect(await announced).toBe('Amina Yusuf is not answering.')
  await expect(tile(page, ben)).toContainText('Listening')
  await amina.phone.reconnect()
  await expect(tile(page, amina)).not.toContainText('Not answering')
  await expect(page.locator('dt:has-text("Not answering") + dd')).toHaveText('0')
  await page.unroute('**/api/host/online-users')

  await room.sleep(amina)
  await expect(tile(page, amina)).toContainText('Not answering')
  await choose(page, amina, 'Details')
  await expect(page.getByRole('dialog', { name: 'Amina Yusuf' }).getByText('Not answering').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Users Master' }).click()
  const statusOf = (name: string) => page.getByRole('row', { name }).getByRole('cell').nth(10)
  await expect(statusOf('Amina Yusuf')).toHaveText('Not answering')
  await expect(statusOf('Ben Carter')).toHaveText('Online')
})

test('keys call the next, mute the speaker and mute all, except while typing or when turned off', async ({
  page,
  room,
  openOnline,
}) => {
  const amina = await room.join('Amina Yusuf')
  const ben = await room.join('Ben Carter')
  await room.muteAll()
  const acts = collectActs(page)
  await openOnline()
  await amina.phone.raiseHand()
  await ben.phone.raiseHand()
  await expect(queue(page)).toHaveText([/Amina Yusuf/, /Ben Carter/])

  const filter = page.getByLabel('Filter participants')
  await filter.pressSequentially('nmM')
  await expect(filter).toHaveValue('nmM')
  await filter.fill('')
  await filter.blur()
  await pressKey(page, 'n')
  await expectState(page, amina, 'listening', { is_muted: false, wants_to_speak: false })
  await expect(queue(page)).toHaveText([/Ben Carter/])
  await pressKey(page, 'n')
  await expectState(page, ben, 'listening', { is_muted: false, wants_to_speak: false })
  await expectState(page, amina, 'muted', { is_muted: true })
  await expect(page.getByText('No one is asking to speak')).toBeVisible()
  await pressKey(page, 'm')
  await expectState(page, ben, 'muted', { is_muted: true })
  await room.act(amina, 'unmute')
  await expectState(page, amina, 'listening', { is_muted: false })
  await pressKey(page, 'Shift+M')
  await expectState(page, amina, 'muted', { is_muted: true })

  await button(page, 'Turn keys off').click()
  await ben.phone.raiseHand()
  await expect(queue(page)).toHaveText([/Ben Carter/])
  await pressKey(page, 'n')
  await button(page, 'Turn keys on').click()
  expect(acts).toHaveLength(5)
  await pressKey(page, 'n')
  await expectPhone(ben, { is_muted: false, wants_to_speak: false })
  expect(acts).toEqual([
    `users/${amina.id}/unmute`,
    `users/${amina.id}/mute`,
    `users/${ben.id}/unmute`,
    `users/${ben.id}/mute`,
    'trigger-bulk-mute/mute',
    `users/${ben.id}/unmute`,
  ])
})

/** The first that is read out from now on and holds these words; it stands there for a moment only. */
function announcement(page: Page, words: string): Promise<string> {
  return page.evaluate(
    (wanted) =>
      new Promise<string>((resolve) => {
        new MutationObserver(() => {
          for (const { textContent: text } of document.querySelectorAll('[role=status]'))
            if (text.includes(wanted)) resolve(text)
        }).observe(document.body, { childList: true, characterData: true, subtree: true })
      }),
    words,
  )
}
